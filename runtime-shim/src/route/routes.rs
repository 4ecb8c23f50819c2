//! The routes of a deployable: which one a request means, whether its caller may, what its action gets and answers.

use std::sync::Arc;

use super::answer::RouteAnswer;
use super::bearer::Bearer;
use super::encoded;
use super::input::Assembly;
use super::output::Output;
use super::reply::Reply;
use super::table::{Found, Table};
use crate::codec::{self, Problem};
use crate::plan::{Deployable, Plan, Route, Segment, TypeDef};

/// Paths that the runtime itself answers.
const HEALTH: [&str; 2] = ["healthz", "readyz"];

/// The routes that a program serves.
pub struct Routes {
    plan: Arc<Plan>,
    table: Table,
    served: Vec<Served>,
}

/// One of them.
struct Served {
    name: String,
    /// The input's fields that segments of the path fill, in order.
    in_path: Vec<String>,
    bearer: Option<Bearer>,
    /// The input's type.
    input: Option<String>,
    output: Option<Output>,
}

/// A request as far as its head has come.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// Upper case.
    pub method: &'a str,
    /// As it was sent, percent-encoded.
    pub path: &'a str,
    /// As it was sent, without the `?`.
    pub query: Option<&'a str>,
    /// The `Authorization` header.
    pub authorization: Option<&'a str>,
    /// The `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// Whether a body follows.
    pub has_body: bool,
}

/// A request that may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admitted {
    route: usize,
    in_path: Vec<String>,
    query: Vec<(String, String)>,
    /// Whether its body is to be read.
    pub wants_body: bool,
}

impl Routes {
    /// The routes that a deployable names; `environment` gives the value of a variable. What is wrong is named at once.
    pub fn open(
        plan: &Arc<Plan>,
        deployable: &Deployable,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Routes, Vec<String>> {
        let mut routes = Routes { plan: plan.clone(), table: Table::default(), served: Vec::new() };
        let mut problems = Vec::new();
        for name in &deployable.routes {
            let opened = routes.add(name, environment);
            problems.extend(opened.err().map(|problem| format!("route {name}: {problem}")));
        }
        if problems.is_empty() { Ok(routes) } else { Err(problems) }
    }

    fn add(&mut self, name: &str, environment: &dyn Fn(&str) -> Option<String>) -> Result<(), String> {
        let plan = &self.plan;
        let route = plan.routes.get(name).ok_or("the plan has no such route")?;
        let action = plan.actions.get(&route.action);
        let action = action.ok_or_else(|| format!("the plan has no action {}", route.action))?;
        if let [Segment::Text(first)] = route.path.as_slice()
            && HEALTH.contains(&first.as_str())
        {
            return Err(format!("the path /{first} is the runtime's own"));
        }
        if let Some(input) = &action.input
            && !matches!(plan.types.get(input), Some(TypeDef::Object(_)))
        {
            return Err(format!("the plan has no object {input}"));
        }
        let bearer = match &route.bearer {
            Some(variable) => Some(Bearer::read(variable, environment)?),
            None => None,
        };
        let index = self.served.len();
        if let Err(other) = self.table.insert(&route.method, &route.path, index) {
            return Err(format!("the route {} has its method and path already", self.served[other].name));
        }
        self.served.push(Served {
            name: name.to_owned(),
            in_path: in_path(route),
            bearer,
            input: action.input.clone(),
            output: action.output.as_ref().map(|shape| Output::new(&plan.types, shape)),
        });
        Ok(())
    }

    /// Finds the route of a request and checks what its head says; the answer where it can't go on.
    pub fn admit(&self, head: &Head<'_>) -> Result<Admitted, Reply> {
        let (route, in_path) = match self.table.find(head.method, head.path) {
            Found::Route(route, in_path) => (route, in_path),
            Found::OtherMethods(methods) => {
                let reply = Reply::error(405, "method_not_allowed", "the path has no such method");
                return Err(reply.with("allow", methods.join(", ")));
            }
            Found::Nothing => return Err(Reply::error(404, "not_found", "there is nothing at this path")),
            Found::Unreadable => return Err(unreadable("path")),
        };
        let served = &self.served[route];
        if let Some(bearer) = &served.bearer
            && !head.authorization.is_some_and(|shown| bearer.accepts(shown))
        {
            let reply = Reply::error(401, "unauthorized", "this needs the bearer token of the route");
            return Err(reply.with("www-authenticate", "Bearer"));
        }
        let takes_body = served.input.is_some() && !matches!(head.method, "GET" | "HEAD" | "DELETE");
        let wants_body = takes_body && head.has_body;
        if wants_body && !is_json(head.content_type) {
            let message = "the body must be JSON in UTF-8, with the content type application/json";
            return Err(Reply::error(415, "unsupported_media_type", message));
        }
        let query = match head.query.filter(|_| served.input.is_some()) {
            Some(query) => encoded::pairs(query).ok_or_else(|| unreadable("query"))?,
            None => Vec::new(),
        };
        Ok(Admitted { route, in_path, query, wants_body })
    }

    /// The name of the route that a request means.
    pub fn name(&self, admitted: &Admitted) -> &str {
        &self.served[admitted.route].name
    }

    /// The action's input as canonical JSON, `None` where it takes none; the answer where it does not fit.
    pub fn input(&self, admitted: &Admitted, body: Option<&[u8]>) -> Result<Option<String>, Reply> {
        let served = &self.served[admitted.route];
        let types = &self.plan.types;
        let Some(name) = &served.input else { return Ok(None) };
        let Some(TypeDef::Object(fields)) = types.get(name) else { return Err(Reply::internal()) };
        let mut assembly = Assembly::new(types, fields);
        for (field, text) in served.in_path.iter().zip(&admitted.in_path) {
            assembly.path(field, text);
        }
        assembly.query(&admitted.query);
        if let Some(body) = body {
            match codec::utf8(body) {
                Ok(text) => assembly.body(text),
                Err(error) => {
                    let in_body = |problem| Problem { place: "body".to_owned(), ..problem };
                    return Err(Reply::misfit(&error.problems.into_iter().map(in_body).collect::<Vec<_>>()));
                }
            }
        }
        assembly.finish().map(Some).map_err(|problems| Reply::misfit(&problems))
    }

    /// What the caller reads of a route's answer.
    pub fn reply(&self, admitted: &Admitted, answer: RouteAnswer) -> Reply {
        let served = &self.served[admitted.route];
        let RouteAnswer { status, output, failed, pending, error } = answer;
        if let Some(error) = error {
            return Reply::error(status, error.code, &error.message);
        }
        let output = match (&served.output, output) {
            (Some(shape), Some(canonical)) => match shape.send(&self.plan.types, canonical) {
                Ok(sent) => Some(sent),
                Err(error) => {
                    tracing::error!("the output of the route {} can't be sent: {error}", served.name);
                    return Reply::internal();
                }
            },
            _ => None,
        };
        if failed == 0 && pending == 0 {
            return Reply::json(status, output.unwrap_or_default());
        }
        let counts = [("failed", failed), ("pending", pending)].into_iter().filter(|(_, count)| *count > 0);
        let members = counts.map(|(name, count)| format!("\"{name}\":{count}"));
        let output = output.map(|output| format!("\"output\":{output}"));
        Reply::json(status, format!("{{{}}}", members.chain(output).collect::<Vec<_>>().join(",")))
    }
}

fn in_path(route: &Route) -> Vec<String> {
    let fields = route.path.iter().filter_map(|segment| match segment {
        Segment::Input(field) => Some(field.clone()),
        Segment::Text(_) => None,
    });
    fields.collect()
}

fn unreadable(what: &str) -> Reply {
    Reply::error(400, "invalid_request", &format!("the {what} is not percent-encoded UTF-8"))
}

/// Whether a content type is JSON in the one encoding that JSON has.
fn is_json(content_type: Option<&str>) -> bool {
    let Some(content_type) = content_type else { return false };
    let mut parts = content_type.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    essence.eq_ignore_ascii_case("application/json")
        && parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
                let value = value.trim().trim_matches('"');
                value.eq_ignore_ascii_case("utf-8") || value.eq_ignore_ascii_case("utf8")
            }
            _ => true,
        })
}
