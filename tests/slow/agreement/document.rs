//! Documents that fit a type, in the spellings that providers use.

use jadpo_runtime::codec::Form;
use jadpo_runtime::plan::{Field, ItemsRule, Plan, Shape, TypeDef};

use super::candidates::Candidates;
use super::tape::Tape;

/// A JSON text that can still be changed.
#[derive(Clone, Debug)]
pub enum Node {
    /// A scalar, as it is written.
    Leaf(String),
    /// An array.
    List(Vec<Node>),
    /// An object; keys as JSON text.
    Object(Vec<(String, Node)>),
}

/// Makes documents for the types of a plan.
pub struct Maker<'p> {
    plan: &'p Plan,
    candidates: Candidates<'p>,
}

impl<'p> Maker<'p> {
    /// For this plan.
    pub fn new(plan: &'p Plan) -> Self {
        Self { plan, candidates: Candidates::new(&plan.types) }
    }

    /// A document that fits the type with this key.
    pub fn document(&self, tape: &mut Tape<'_>, key: &str, form: Form) -> Node {
        self.node(tape, &Shape::Named(key.to_owned()), form, 5)
    }

    fn node(&self, tape: &mut Tape<'_>, shape: &Shape, form: Form, depth: usize) -> Node {
        match shape {
            Shape::Nullable(_) if depth == 0 || tape.one_in(4) => Node::Leaf("null".to_owned()),
            Shape::Nullable(inner) => self.node(tape, inner, form, depth),
            Shape::List(inner, rule) => self.list(tape, inner, rule, form, depth),
            Shape::Map(key, inner) => self.map(tape, key, inner, form, depth),
            Shape::Json => json(tape, depth),
            Shape::Named(name) => match &self.plan.types[name] {
                TypeDef::Alias(
                    alias @ (Shape::List(..)
                    | Shape::Map(..)
                    | Shape::Nullable(_)
                    | Shape::Named(_)
                    | Shape::Json),
                ) => self.node(tape, alias, form, depth),
                TypeDef::Object(fields) => self.object(tape, fields, form, depth),
                TypeDef::Alias(_) | TypeDef::TextEnum { .. } | TypeDef::IntEnum { .. } => {
                    self.scalar(tape, shape, form)
                }
            },
            scalar => self.scalar(tape, scalar, form),
        }
    }

    fn scalar(&self, tape: &mut Tape<'_>, shape: &Shape, form: Form) -> Node {
        Node::Leaf(tape.of(&self.candidates.right(shape, form)).clone())
    }

    fn list(&self, tape: &mut Tape<'_>, inner: &Shape, rule: &ItemsRule, form: Form, depth: usize) -> Node {
        let most = usize::try_from(rule.max_items.unwrap_or(3)).unwrap();
        let least = usize::try_from(rule.min_items.unwrap_or(0)).unwrap();
        let items = if depth == 0 { least } else { least + tape.pick(most - least + 1) };
        Node::List((0..items).map(|_| self.node(tape, inner, form, depth.saturating_sub(1))).collect())
    }

    fn map(&self, tape: &mut Tape<'_>, key: &Shape, inner: &Shape, form: Form, depth: usize) -> Node {
        let keys = self.candidates.keys(key);
        let mut entries: Vec<(String, Node)> = Vec::new();
        let mut taken = Vec::new();
        for _ in 0..if depth == 0 { 0 } else { tape.pick(4) } {
            let (text, kept) = tape.of(&keys);
            if !taken.contains(kept) {
                taken.push(kept.clone());
                entries.push((text.clone(), self.node(tape, inner, form, depth - 1)));
            }
        }
        Node::Object(entries)
    }

    fn object(&self, tape: &mut Tape<'_>, fields: &[Field], form: Form, depth: usize) -> Node {
        let mut object = Node::Object(Vec::new());
        let mut order: Vec<&Field> = fields.iter().collect();
        for last in (1..order.len()).rev() {
            order.swap(last, tape.pick(last + 1));
        }
        for field in order {
            if field.optional && (depth == 0 || tape.pick(2) == 0) {
                continue;
            }
            let value = self.node(tape, &field.shape, form, depth.saturating_sub(1));
            match (&field.at, form) {
                (Some(pointer), Form::Wire) => object.put(pointer, value),
                (_, Form::Wire) => object.push(&field.wire, value),
                (_, Form::Canonical) => object.push(&field.name, value),
            }
        }
        object
    }
}

impl Node {
    /// As JSON, with white space where the tape says so.
    pub fn text(&self, tape: &mut Tape<'_>) -> String {
        let mut out = String::new();
        self.write(tape, &mut out);
        out
    }

    fn write(&self, tape: &mut Tape<'_>, out: &mut String) {
        space(tape, out);
        match self {
            Node::Leaf(text) => out.push_str(text),
            Node::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    item.write(tape, out);
                }
                out.push(']');
            }
            Node::Object(entries) => {
                out.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    space(tape, out);
                    out.push_str(key);
                    out.push(':');
                    value.write(tape, out);
                }
                out.push('}');
            }
        }
        space(tape, out);
    }

    fn push(&mut self, name: &str, value: Node) {
        let Node::Object(entries) = self else { panic!("fields stand in objects") };
        entries.push((serde_json::to_string(name).unwrap(), value));
    }

    /// Puts a value where a JSON Pointer leads.
    fn put(&mut self, pointer: &str, value: Node) {
        let (token, rest) =
            pointer[1..].split_once('/').map_or((&pointer[1..], None), |(token, rest)| (token, Some(rest)));
        let name = token.replace("~1", "/").replace("~0", "~");
        let Some(rest) = rest else {
            match self {
                Node::List(items) => items.push(value),
                _ => self.push(&name, value),
            }
            return;
        };
        let key = serde_json::to_string(&name).unwrap();
        let Node::Object(entries) = self else { panic!("the awkward app's places lead through objects") };
        if !entries.iter().any(|(known, _)| *known == key) {
            let is_list = rest.bytes().all(|byte| byte.is_ascii_digit());
            entries
                .push((key.clone(), if is_list { Node::List(Vec::new()) } else { Node::Object(Vec::new()) }));
        }
        let (_, inner) = entries.iter_mut().find(|(known, _)| *known == key).unwrap();
        inner.put(&format!("/{rest}"), value);
    }
}

fn space(tape: &mut Tape<'_>, out: &mut String) {
    if tape.one_in(16) {
        let white: &&str = tape.of(&[" ", "\n", "\t", "\r\n  "]);
        out.push_str(white);
    }
}

/// Any JSON, with numbers that no float holds.
fn json(tape: &mut Tape<'_>, depth: usize) -> Node {
    match tape.pick(if depth == 0 { 3 } else { 5 }) {
        0 => Node::Leaf((*tape.of(&["null", "true", "false"])).to_owned()),
        1 => Node::Leaf(
            (*tape.of(&["1.0", "1e5", "-0.00", "90071992547409931", "1e300", "1E-7", "0.1e1"])).to_owned(),
        ),
        2 => Node::Leaf((*tape.of(&["\"\"", "\"\\u0061\"", "\"🪙\\n\""])).to_owned()),
        3 => Node::List((0..tape.pick(3)).map(|_| json(tape, depth - 1)).collect()),
        _ => Node::Object(
            ["\"b\"", "\"a\"", "\"é\""]
                .iter()
                .take(tape.pick(4))
                .map(|key| ((*key).to_owned(), json(tape, depth - 1)))
                .collect(),
        ),
    }
}
