/// Attack neighbouring cells while the energy lasts.
fn decide(ask: &str, view: &str) -> String {
    let number = |text: &str| text.parse::<usize>().unwrap();
    let (width, me) = (number(field(view, "width")), field(ask, "uid"));
    let (owner, cost) = (items(field(view, "owner")), items(field(view, "attack_cost")));
    let mut energy = number(field(items(field(view, "users"))[number(me) - 1], "energy"));
    let mut orders = Vec::new();
    for cell in 0..owner.len() {
        let (x, y, price) = (cell % width, cell / width, number(cost[cell]));
        let is_beside = x > 0 && owner[cell - 1] == me
            || x + 1 < width && owner[cell + 1] == me
            || y > 0 && owner[cell - width] == me
            || cell + width < owner.len() && owner[cell + width] == me;
        if owner[cell] != me && is_beside && price <= energy && orders.len() < 1000 {
            energy -= price;
            orders.push(format!(r#""a {x} {y} {price}""#));
        }
    }
    format!(r#"{{"type":"Command","orders":[{}]}}"#, orders.join(","))
}
