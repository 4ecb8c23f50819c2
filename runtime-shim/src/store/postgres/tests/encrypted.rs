//! A server that speaks TLS alone, under each `sslmode`: who is let on, and what everybody else is told.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

use super::block_on;
use crate::store::postgres::OpenOptions;
use crate::store::{Store, StoreErrorKind};
use crate::trial::cluster::{self, Cluster};

/// A server whose certificate is for `localhost`, and the files of the roots: the one that vouches for it, and another.
struct Encrypted {
    cluster: Cluster,
    folder: tempfile::TempDir,
}

impl Encrypted {
    fn start() -> Encrypted {
        let (root, other) = (root(), root());
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(["localhost".to_owned()]).unwrap();
        let certificate = certificate.signed_by(&key, &root).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("root.pem"), root.pem()).unwrap();
        std::fs::write(folder.path().join("other.pem"), other.pem()).unwrap();
        let cluster = Cluster::start_encrypted(&certificate.pem(), &key.serialize_pem());
        Encrypted { cluster, folder }
    }

    /// What comes of a store over the server at this host: whether its line is encrypted, or why there is none.
    fn opened(&self, host: &str, mode: &str, roots: Option<&str>) -> Result<bool, StoreErrorKind> {
        let url = self.cluster.url("postgres").replace("127.0.0.1", host);
        let roots = roots.map(|name| self.folder.path().join(name).display().to_string().replace('/', "%2F"));
        let roots = roots.map(|file| format!("&sslrootcert={file}")).unwrap_or_default();
        let url = format!("{url}?sslmode={mode}{roots}");
        let store = OpenOptions::new("main", url.parse().unwrap()).open().map_err(|error| error.kind)?;
        let sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
        let rows = block_on(store.query(sql.to_owned(), Vec::new())).unwrap().unwrap();
        Ok(rows[0].get(0).unwrap())
    }

    #[track_caller]
    fn refused(&self, host: &str, mode: &str, roots: Option<&str>) -> String {
        match self.opened(host, mode, roots) {
            Err(kind) => kind.to_string(),
            Ok(encrypted) => panic!("it is let on, encrypted: {encrypted}"),
        }
    }
}

fn root() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new([]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

#[test]
fn each_sslmode_believes_as_far_as_it_says() {
    if !cluster::is_there() {
        return;
    }
    let server = Encrypted::start();
    let right = Some("root.pem");
    for (host, mode, roots) in [
        ("127.0.0.1", "prefer", None),
        ("127.0.0.1", "require", None),
        ("127.0.0.1", "require", right),
        ("127.0.0.1", "verify-ca", right),
        ("localhost", "verify-ca", right),
        ("localhost", "verify-full", right),
    ] {
        assert_eq!(server.opened(host, mode, roots), Ok(true), "{mode} at {host}");
    }
    let other = Some("other.pem");
    let refused = [
        server.refused("127.0.0.1", "disable", None),
        server.refused("127.0.0.1", "verify-full", right),
        server.refused("localhost", "verify-full", other),
        server.refused("localhost", "verify-ca", other),
        server.refused("localhost", "require", other),
        server.refused("localhost", "verify-full", None),
    ];
    insta::assert_snapshot!(refused.join("\n"), @r#"
    the database can't be reached: no pg_hba.conf entry for host "127.0.0.1", user "jadpo", database "postgres", no encryption
    the database can't be reached: error performing TLS handshake: invalid peer certificate: certificate not valid for name "127.0.0.1"; certificate is only valid for DnsName("localhost")
    the database can't be reached: error performing TLS handshake: invalid peer certificate: BadSignature
    the database can't be reached: error performing TLS handshake: invalid peer certificate: BadSignature
    the database can't be reached: error performing TLS handshake: invalid peer certificate: BadSignature
    the database can't be reached: error performing TLS handshake: invalid peer certificate: UnknownIssuer
    "#);
}
