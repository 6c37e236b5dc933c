    /** The first legal choice: pass, or sell the cheapest estate. */
    static String decide(String ask, String view) {
        return items(field(ask, "choices")).get(0);
    }
