//! Finds a route by method and path: a tree of segments, in which a segment as it stands beats any one segment.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::encoded;
use crate::plan::Segment;

/// Routes by their paths; each is known by its number.
#[derive(Default)]
pub(super) struct Table {
    root: Node,
}

#[derive(Default)]
struct Node {
    literals: BTreeMap<String, Node>,
    any: Option<Box<Node>>,
    /// By method.
    routes: BTreeMap<String, usize>,
}

/// What was found for a method and a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The route, and what stands where its path takes any one segment, in order.
    Route(usize, Vec<String>),
    /// The path has these methods, but not that one.
    OtherMethods(Vec<String>),
    /// No route has the path.
    Nothing,
    /// The path is not whole, or no UTF-8.
    Unreadable,
}

impl Table {
    /// Adds a route; the error is the one that has its method and path already.
    pub(super) fn insert(&mut self, method: &str, path: &[Segment], route: usize) -> Result<(), usize> {
        let mut node = &mut self.root;
        for segment in path {
            node = match segment {
                Segment::Text(text) => node.literals.entry(text.clone()).or_default(),
                Segment::Input(_) => node.any.get_or_insert_default(),
            };
        }
        if let Some(known) = node.routes.get(method) {
            return Err(*known);
        }
        node.routes.insert(method.to_owned(), route);
        Ok(())
    }

    /// Finds the route of a path as it was sent. `HEAD` is answered by a route of its own, else by that of `GET`.
    pub(super) fn find(&self, method: &str, path: &str) -> Found {
        let Some(segments) = segments(path) else { return Found::Unreadable };
        let mut look = Look { segments: &segments, taken: Vec::new(), methods: Vec::new() };
        let route = look
            .below(&self.root, 0, method)
            .or_else(|| if method == "HEAD" { look.below(&self.root, 0, "GET") } else { None });
        let Look { taken, mut methods, .. } = look;
        if let Some(route) = route {
            return Found::Route(
                route,
                taken.into_iter().map(|at| segments[at].clone().into_owned()).collect(),
            );
        }
        if methods.is_empty() {
            return Found::Nothing;
        }
        if methods.iter().any(|known| known == "GET") {
            methods.push("HEAD".to_owned());
        }
        methods.sort();
        methods.dedup();
        Found::OtherMethods(methods)
    }
}

struct Look<'p> {
    segments: &'p [Cow<'p, str>],
    /// Which segments stand where any one is taken, by place.
    taken: Vec<usize>,
    /// The methods of routes whose path fits.
    methods: Vec<String>,
}

impl Look<'_> {
    /// The first route below a node that fits from the segment at `at` on.
    fn below(&mut self, node: &Node, at: usize, method: &str) -> Option<usize> {
        let Some(segment) = self.segments.get(at) else {
            let route = node.routes.get(method).copied();
            if route.is_none() {
                self.methods.extend(node.routes.keys().cloned());
            }
            return route;
        };
        if let Some(literal) = node.literals.get(&**segment)
            && let Some(route) = self.below(literal, at + 1, method)
        {
            return Some(route);
        }
        // An empty segment gives no value: `/tickets/` is not `/tickets/{input.id}`.
        let any = node.any.as_ref().filter(|_| !segment.is_empty())?;
        self.taken.push(at);
        let route = self.below(any, at + 1, method);
        if route.is_none() {
            self.taken.pop();
        }
        route
    }
}

/// The decoded segments of a path; `/` has none. `*`, which names the server itself, has one that no route has.
fn segments(path: &str) -> Option<Vec<Cow<'_, str>>> {
    match path.strip_prefix('/') {
        Some("") => Some(Vec::new()),
        Some(path) => path.split('/').map(encoded::segment).collect(),
        None => Some(vec![Cow::Borrowed("")]),
    }
}
