// A bot that reads and writes lines. It finds what it needs in the JSON by itself; a larger bot uses a library.
use std::io;

/// Where the JSON value that begins at `start` ends.
fn end_of(json: &str, start: usize) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, byte) in json.bytes().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' | b',' if depth == 0 => return at,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    json.len()
}

/// The first field with this name, as JSON.
fn field<'a>(json: &'a str, name: &str) -> &'a str {
    let key = format!("\"{name}\":");
    let Some(at) = json.find(&key) else { return "null" };
    let start = at + key.len();
    &json[start..end_of(json, start)]
}

/// The values of a list, as JSON.
#[allow(dead_code)]
fn items(list: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 1);
    while start + 1 < list.len() {
        let end = end_of(list, start);
        found.push(&list[start..end]);
        start = end + 1;
    }
    found
}

// decide

fn main() {
    for line in io::stdin().lines() {
        let line = line.expect("a line of text");
        match field(&line, "type") {
            r#""hello""# => println!(r#"{{"type":"hello","name":"Rust bot"}}"#),
            r#""ask""# => {
                let action = decide(field(&line, "ask"), field(&line, "view"));
                eprintln!("my answer: {action}"); // you see this on the page of your bot
                println!(r#"{{"type":"answer","id":{},"action":{action}}}"#, field(&line, "id"));
            }
            _ => {}
        }
    }
}
