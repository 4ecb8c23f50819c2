//! What a request over HTTP means, whatever host it came to: its route, whether its caller may, its input, its answer.

mod actions;
mod answer;
mod bearer;
mod encoded;
mod health;
mod input;
mod output;
mod reply;
mod routes;
mod table;
#[cfg(test)]
pub(crate) mod tests;

pub use actions::Actions;
#[cfg(any(feature = "testing", all(test, feature = "sqlite")))]
pub(crate) use actions::status_of;
pub use answer::{RouteAnswer, RouteCall, RouteError, Serve};
pub use health::health;
pub use reply::Reply;
pub use routes::{Admitted, Head, Routes};
