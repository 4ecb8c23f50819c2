//! An app's own code over the names that are generated for the awkward project.

use crate::app;

/// The app's own code over the generated names.
pub struct Mine;

impl app::core::Decode for Mine {
    fn r#type(&self, answer: &jadpo_runtime::Answer) -> Result<app::core::Result, jadpo_runtime::Failure> {
        Ok(answer.decode()?)
    }
}

impl app::Handlers for Mine {
    async fn r#type(
        &self,
        cx: &mut app::cx::Type<'_>,
        event: app::on::Type,
    ) -> Result<(), jadpo_runtime::Failure> {
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
    ) -> Result<(), jadpo_runtime::Failure> {
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
    ) -> Result<(), jadpo_runtime::Failure> {
        cx.emit(event);
        cx.store().write("INSERT INTO seen VALUES (?1)", (app::core::Open::Self_,));
        Ok(())
    }

    async fn drop(
        &self,
        cx: &mut app::cx::Drop<'_>,
        _event: app::core::Changed,
    ) -> Result<(), jadpo_runtime::Failure> {
        app::core::TextType::new("a1\"")?;
        cx.origin().ping().await?;
        Ok(())
    }
}

fn seen<T>(_: T) {}

/// Runs it.
pub fn run() -> jadpo_runtime::App {
    app::server(Mine)
}
