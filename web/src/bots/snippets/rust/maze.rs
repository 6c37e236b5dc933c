/// Pass. A move that is not legal costs the seat, so this is a safe start; field(view, "tiles") is the board.
fn decide(_ask: &str, _view: &str) -> String {
    r#"{"type":"Pass"}"#.to_string()
}
