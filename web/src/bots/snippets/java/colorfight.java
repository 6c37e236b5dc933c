    /** Attack neighbouring cells while the energy lasts. */
    static String decide(String ask, String view) {
        int width = Integer.parseInt(field(view, "width")), me = Integer.parseInt(field(ask, "uid"));
        List<String> owner = items(field(view, "owner")), cost = items(field(view, "attack_cost"));
        int energy = Integer.parseInt(field(items(field(view, "users")).get(me - 1), "energy"));
        List<String> orders = new ArrayList<>();
        for (int cell = 0; cell < owner.size() && orders.size() < 1000; cell++) {
            int x = cell % width, y = cell / width, price = Integer.parseInt(cost.get(cell));
            boolean isBeside = x > 0 && owner.get(cell - 1).equals("" + me)
                || x < width - 1 && owner.get(cell + 1).equals("" + me)
                || y > 0 && owner.get(cell - width).equals("" + me)
                || cell + width < owner.size() && owner.get(cell + width).equals("" + me);
            if (owner.get(cell).equals("" + me) || !isBeside || price > energy) continue;
            energy -= price;
            orders.add("\"a " + x + " " + y + " " + price + "\"");
        }
        return "{\"type\":\"Command\",\"orders\":[" + String.join(",", orders) + "]}";
    }
