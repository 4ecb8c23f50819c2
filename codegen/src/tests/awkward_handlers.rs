//! An app's own code over the names that are generated for the awkward project.

use std::collections::BTreeMap;

use jadpo_runtime::{Failure, Filled, Next, Step};

use crate::app;

/// The app's own code over the generated names.
pub struct Mine;

impl app::core::Decode for Mine {
    fn r#type(&self, answer: &jadpo_runtime::Answer) -> Result<app::core::Result, Failure> {
        Ok(answer.decode()?)
    }
}

impl app::r#type::Decode for Mine {
    fn read(&self, answer: &jadpo_runtime::Answer) -> Result<i64, Failure> {
        Ok(answer.decode()?)
    }
}

impl app::Handlers for Mine {
    async fn r#type(
        &self,
        cx: &mut app::cx::Type<'_>,
        event: app::on::Type,
    ) -> Result<(), Failure> {
        match event {
            app::on::Type::CoreHappened(event) => seen(event.node.parent.map(|parent| parent.label)),
            app::on::Type::CoreChanged(event) => seen((event.self_, event.r#type, event.gen_x, event.__)),
            app::on::Type::TypeChanged(event) => seen(event.a),
        }
        if let app::origin::Type::Core(client) = cx.origin() {
            client.ping().await?;
        }
        seen(cx.store_().raw().await?);
        cx.emit(app::Handlers_ { a: jadpo_runtime::Json::Null });
        Ok(())
    }

    async fn self_(
        &self,
        cx: &mut app::cx::Self_<'_>,
        event: app::on::Self_,
    ) -> Result<(), Failure> {
        if let app::on::Self_::Option(input) = event {
            seen((input.__x, input.crate_, input.r#async));
        }
        match cx.origin() {
            Some(client) => seen(client.raw().await?),
            None => seen(cx.self_().raw().await?),
        }
        Ok(())
    }

    async fn __(
        &self,
        cx: &mut app::cx::__<'_>,
        event: app::Handlers_,
    ) -> Result<(), Failure> {
        cx.emit(event);
        cx.store().write("INSERT INTO seen VALUES (?1)", (app::core::Open::Self_,));
        Ok(())
    }

    async fn drop(
        &self,
        cx: &mut app::cx::Drop<'_>,
        _event: app::core::Changed,
    ) -> Result<(), Failure> {
        app::core::TextType::new("a1\"")?;
        cx.origin().ping().await?;
        Ok(())
    }

    async fn r#match(&self, cx: &mut app::cx::Match<'_>) -> Result<(), Failure> {
        seen((cx.now(), cx.trace()));
        let mut transaction = cx.transaction().await?;
        if transaction.execute("DELETE FROM seen", ()).await? > 1 {
            transaction.execute_rows(1, "INSERT INTO seen VALUES (?1)", (1,)).await?;
        }
        seen(transaction.query("SELECT * FROM seen", ()).await?);
        Err(Failure::conflict("it was matched before"))
    }

    async fn super_(
        &self,
        cx: &mut app::cx::Super<'_>,
        app::core::Empty {}: app::core::Empty,
    ) -> Result<Option<Vec<app::core::Self_>>, Failure> {
        cx.emit(app::Handlers_ { a: jadpo_runtime::Json::Null });
        cx.start_start_();
        Ok(None)
    }

    async fn crate_(
        &self,
        cx: &mut app::cx::Crate<'_>,
        input: app::Result,
    ) -> Result<app::core::Result, Failure> {
        cx.start_loop(input.clone());
        cx.start_where();
        cx.start_else();
        cx.emit(app::Handlers_ { a: jadpo_runtime::Json::Null });
        seen((cx.store_().raw().await?, cx.start_loop_().raw().await?));
        Ok(input.a)
    }

    async fn handler(&self, _cx: &mut app::cx::Handler<'_>) -> Result<jadpo_runtime::Decimal, Failure> {
        Ok(jadpo_runtime::Decimal::ONE)
    }

    async fn r#loop(
        &self,
        cx: &mut app::cx::Loop<'_>,
        step: Step<app::Result>,
    ) -> Result<Next, Failure> {
        seen((cx.attempt(), step.input.a));
        Ok(step.cursor.map_or(Next::End, Next::Cursor))
    }

    async fn start_(&self, _cx: &mut app::cx::Start_<'_>, _step: Step<()>) -> Result<Next, Failure> {
        Ok(Next::End)
    }

    async fn r#where(
        &self,
        _cx: &mut app::cx::Where<'_>,
        _step: Step<()>,
    ) -> Result<Filled<BTreeMap<app::core::Open, app::core::Trees>>, Failure> {
        Ok(Filled { pairs: Vec::new(), next: Next::End })
    }

    fn keep_where(
        &self,
        cx: &mut app::cx::Where<'_>,
        key: &str,
        value: BTreeMap<app::core::Open, app::core::Trees>,
    ) -> Result<(), Failure> {
        seen(value);
        cx.store().write_rows(1, "UPDATE seen SET a = 1 WHERE key = ?1", (key,));
        Ok(())
    }

    async fn r#else(
        &self,
        _cx: &mut app::cx::Else<'_>,
        _step: Step<()>,
    ) -> Result<Filled<Option<app::core::Node>>, Failure> {
        Ok(Filled { pairs: vec![("1".to_owned(), None)], next: Next::End })
    }

    fn keep_else(
        &self,
        _cx: &mut app::cx::Else<'_>,
        _key: &str,
        value: Option<app::core::Node>,
    ) -> Result<(), Failure> {
        seen(value);
        Ok(())
    }
}

fn seen<T>(_: T) {}

/// Runs it.
pub fn run() -> jadpo_runtime::App {
    app::server(Mine)
}
