/// Propose nothing, take gifts, craft nothing: a safe start. field(view, "target") is what wins.
fn decide(ask: &str, view: &str) -> String {
    match field(ask, "type") {
        r#""MakeProposal""# => {
            let partner = if field(view, "seat") == "0" { 1 } else { 0 };
            format!(r#"{{"type":"Propose","partner":{partner}}}"#)
        }
        r#""DecideProposal""# => {
            let is_gift = field(field(view, "proposal"), "request") == "{}";
            format!(r#"{{"type":"Decide","decision":"{}"}}"#, if is_gift { "accept" } else { "reject" })
        }
        _ => r#"{"type":"Done"}"#.to_string(),
    }
}
