//! The awkward app's code: it calls whatever it may and writes down what it saw.

use jadpo_runtime::{Answer, Failure};
use jadpo_test_app::app::{self, awkward, cx, on};

/// The app's own table.
pub const TABLES: &str = "CREATE TABLE IF NOT EXISTS seen (who TEXT NOT NULL, what TEXT NOT NULL) STRICT";

const SEEN: &str = "INSERT INTO seen (who, what) VALUES (?1, ?2)";

/// The handlers.
pub struct Driven;

impl app::Handlers for Driven {
    async fn r#type(&self, cx: &mut cx::Type<'_>, event: on::Type) -> Result<(), Failure> {
        match event {
            on::Type::AwkwardOption(option) => {
                let sent = sent(&option);
                let back = cx.awkward().main(&sent).await?;
                if back != sent {
                    return Err(Failure::new(format!("{sent:?} came back as {back:?}")));
                }
                let status = cx.shapes().read_status().await?;
                cx.emit(app::Vec { r#loop: option.crate_, r#for: option.r#type.clone() });
                let what = format!(
                    "{option:?} while {} {:?} {:?} {}",
                    status.indicator.as_str(),
                    status.first,
                    status.slashed,
                    status.name
                );
                cx.store().write(SEEN, ("type", what));
            }
            on::Type::AwkwardResult(result) => cx.store().write(SEEN, ("type", format!("{result:?}"))),
        }
        Ok(())
    }

    async fn r#match(&self, cx: &mut cx::Match<'_>, event: awkward::Option) -> Result<(), Failure> {
        let boxes = cx.origin().clone().await?;
        let attempt = cx.attempt();
        cx.store()
            .write(SEEN, ("match", format!("{} {} boxes at attempt {attempt}", event.self_, boxes.len())));
        Ok(())
    }

    async fn drop(&self, cx: &mut cx::Drop<'_>, event: app::Vec) -> Result<(), Failure> {
        let (attempt, now) = (cx.attempt(), cx.now());
        cx.store().write(SEEN, ("drop", format!("{} {:?} at attempt {attempt}", event.r#loop, event.r#for)));
        match event.r#loop {
            2 if attempt == 1 => Err(Failure::new(format!("not at {now}"))),
            3 => panic!("three is too many"),
            _ => Ok(()),
        }
    }

    async fn hear_cases(&self, cx: &mut cx::HearCases<'_>, event: on::HearCases) -> Result<(), Failure> {
        let what = match event {
            on::HearCases::CasesPricesChanged(prices) => format!("{} {}", prices.btc, prices.eth),
            on::HearCases::CasesTitleChanged(title) => title.title,
            on::HearCases::CasesOrderSeen(order) => order.order_no.to_string(),
        };
        cx.store().write(SEEN, ("hear_cases", what));
        Ok(())
    }
}

impl awkward::Decode for Driven {
    /// The answer is a line for each box.
    fn r#fn(&self, answer: &Answer) -> Result<Vec<awkward::Box>, Failure> {
        let boxes = answer.text()?.lines().map(|line| match line {
            "box" => Ok(awkward::Box { r#where: None, r#use: None }),
            other => Err(Failure::new(format!("`{other}` is no box"))),
        });
        boxes.collect()
    }
}

/// What is sent to be sent back.
fn sent(option: &awkward::Option) -> awkward::String {
    let inner = awkward::Box { r#where: None, r#use: None };
    awkward::String {
        self_: option.self_.clone(),
        r#move: awkward::Self_::Err,
        r#ref: [(awkward::Ok::new("a").expect("it fits"), option.crate_)].into(),
        r#dyn: vec![awkward::Box { r#where: Some(Box::new(inner)), r#use: None }],
    }
}
