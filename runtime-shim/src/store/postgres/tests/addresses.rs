//! URLs of databases: what of them is honoured, and that a password is never shown.

use tokio_postgres::config::SslMode;

use super::super::Address;
use super::super::address::Trust;

fn address(text: &str) -> Result<Address, String> {
    text.parse()
}

#[test]
fn a_password_is_never_shown() {
    let shown =
        address("postgres://me:s3cret%40@db.test:6432/app?sslmode=require&connect_timeout=3").unwrap();
    assert_eq!(shown.to_string(), "postgres://me@db.test:6432/app");
    assert!(!format!("{shown:?}").contains("s3cret"));
    for wrong in [
        "s3cret",
        "mysql://me:s3cret@db.test/app",
        "postgres://me:s3cret@db.test:port/app",
        "postgres://me:s3cret@/app",
        "postgres://me:s3cret@db.test/app?sslmode=s3cret",
        "postgres://me:s3cret@db.test/app?nonsense=s3cret",
    ] {
        let why = address(wrong).unwrap_err();
        assert!(!why.contains("s3cret"), "{why}");
    }
}

#[test]
fn sslmode_says_whether_the_line_is_encrypted_and_who_is_believed() {
    let trusted = |query: &str| {
        let address = address(&format!("postgres://me@db.test/app{query}")).unwrap();
        (address.config.get_ssl_mode(), address.trust)
    };
    let roots = || Some("/etc/roots.pem".into());
    assert_eq!(trusted(""), (SslMode::Prefer, Trust::Anyone));
    assert_eq!(trusted("?sslmode=disable"), (SslMode::Disable, Trust::Anyone));
    assert_eq!(trusted("?sslmode=prefer"), (SslMode::Prefer, Trust::Anyone));
    assert_eq!(trusted("?sslmode=require"), (SslMode::Require, Trust::Anyone));
    assert_eq!(trusted("?sslmode=verify-ca"), (SslMode::Require, Trust::Vouched(None)));
    assert_eq!(trusted("?sslmode=verify-full&sslrootcert=system"), (SslMode::Require, Trust::Named(None)));
    let file = "sslrootcert=%2Fetc%2Froots.pem";
    assert_eq!(trusted(&format!("?{file}&sslmode=verify-full")), (SslMode::Require, Trust::Named(roots())));
    assert_eq!(trusted(&format!("?sslmode=require&{file}")), (SslMode::Require, Trust::Vouched(roots())));
}

#[test]
fn roots_that_cannot_be_read_are_named() {
    let trust = Trust::Named(Some("/nowhere/roots.pem".into()));
    let Err(why) = super::super::tls::connector(&trust) else { panic!("there are none") };
    assert!(why.starts_with("the root certificates in /nowhere/roots.pem: "), "{why}");
    assert!(super::super::tls::connector(&Trust::Anyone).is_ok());
}
