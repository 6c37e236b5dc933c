    /** Propose nothing, take gifts, craft nothing: a safe start. field(view, "target") is what wins. */
    static String decide(String ask, String view) {
        switch (field(ask, "type")) {
            case "\"MakeProposal\"":
                return "{\"type\":\"Propose\",\"partner\":" + (field(view, "seat").equals("0") ? 1 : 0) + "}";
            case "\"DecideProposal\"":
                boolean isGift = field(field(view, "proposal"), "request").equals("{}");
                return "{\"type\":\"Decide\",\"decision\":\"" + (isGift ? "accept" : "reject") + "\"}";
            default:
                return "{\"type\":\"Done\"}";
        }
    }
