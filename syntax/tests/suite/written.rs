//! The text that a tree says.

use jadpo_syntax::tree::{
    Block, Body, Declaration, Field, ModifierKind, StringLit, TypeBody, TypeExpr, Value, ValueKind, Variant,
    VariantWire, WireName,
};

/// The text of a tree without holes.
pub fn text(declaration: &Declaration) -> String {
    let mut words = Printer(String::new());
    words.declaration(declaration);
    words.0
}

struct Printer(String);

impl Printer {
    fn word(&mut self, word: &str) {
        self.0.push_str(word);
        self.0.push(' ');
    }

    fn docs(&mut self, docs: &[String]) {
        if !docs.is_empty() {
            self.0.push('\n');
        }
        for line in docs {
            self.0.push_str("/// ");
            self.0.push_str(line);
            self.0.push('\n');
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.docs(&declaration.docs);
        if declaration.public.is_some() {
            self.word("public");
        }
        self.word(declaration.keyword.text());
        if let Some(name) = &declaration.name {
            self.word(&name.text);
        }
        match &declaration.body {
            Body::Type(body) => self.type_body(body),
            Body::Block(block) => self.block(block),
            Body::Missing => {}
        }
        self.0.push('\n');
    }

    fn type_body(&mut self, body: &TypeBody) {
        self.word("=");
        match body {
            TypeBody::Object(fields) => {
                self.word("Object {");
                for field in fields {
                    self.field(field);
                }
                self.word("}");
            }
            TypeBody::Event { wire_names, fields } => {
                self.word("Event {");
                for WireName { docs, value, .. } in wire_names {
                    self.docs(docs);
                    self.word("wire_name:");
                    self.string(value);
                }
                for field in fields {
                    self.field(field);
                }
                self.word("}");
            }
            TypeBody::Enum(variants) => {
                self.word("Enum {");
                for variant in variants {
                    self.variant(variant);
                }
                self.word("}");
            }
            TypeBody::Alias(ty, constraints) => {
                self.ty(ty);
                if let Some(block) = constraints {
                    self.block(block);
                }
            }
            TypeBody::Missing => {}
        }
    }

    fn field(&mut self, field: &Field) {
        self.docs(&field.docs);
        self.word(&field.name.text);
        self.word(":");
        if let Some(ty) = &field.ty {
            self.ty(ty);
        }
        if let Some(block) = &field.constraints {
            self.block(block);
        }
        for modifier in &field.modifiers {
            match &modifier.kind {
                ModifierKind::Optional => self.word("optional"),
                ModifierKind::As(text) => {
                    self.word("as");
                    self.string(text);
                }
                ModifierKind::At(text) => {
                    self.word("at");
                    self.string(text);
                }
            }
        }
    }

    fn variant(&mut self, variant: &Variant) {
        self.docs(&variant.docs);
        self.word(&variant.name.text);
        match &variant.wire {
            Some(VariantWire::Text(text)) => {
                self.word("as");
                self.string(text);
            }
            Some(VariantWire::Number(number)) => self.word(&format!("as {}", number.text)),
            Some(VariantWire::Other(_)) => self.word("as other"),
            None => {}
        }
    }

    fn ty(&mut self, ty: &TypeExpr) {
        self.word(&ty.path_text());
        for (place, argument) in ty.args.iter().enumerate() {
            self.word(if place == 0 { "<" } else { "," });
            self.ty(argument);
        }
        if !ty.args.is_empty() {
            self.word(">");
        }
        if ty.nullable.is_some() {
            self.word("?");
        }
    }

    fn block(&mut self, block: &Block) {
        self.word("{");
        for entry in &block.entries {
            self.docs(&entry.docs);
            if entry.key.quoted {
                self.word(&quoted(&entry.key.text));
            } else {
                self.word(&entry.key.text);
            }
            self.word(":");
            if let Some(value) = &entry.value {
                self.value(value);
            }
        }
        self.word("}");
    }

    fn value(&mut self, value: &Value) {
        match &value.kind {
            ValueKind::String(text) => self.string(text),
            ValueKind::Number(number) => self.word(&number.text),
            ValueKind::Call(name, values) => {
                self.word(&name.text);
                self.values("(", values, ")");
            }
            ValueKind::List(values) => self.values("[", values, "]"),
            ValueKind::Block(block) => self.block(block),
            ValueKind::Type(ty, block) => {
                self.ty(ty);
                if let Some(block) = block {
                    self.block(block);
                }
            }
        }
    }

    fn values(&mut self, open: &str, values: &[Value], close: &str) {
        self.word(open);
        for (place, value) in values.iter().enumerate() {
            if place > 0 {
                self.word(",");
            }
            self.value(value);
        }
        self.word(close);
    }

    fn string(&mut self, text: &StringLit) {
        self.word(&quoted(&text.value));
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
