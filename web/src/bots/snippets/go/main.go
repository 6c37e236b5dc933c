// A bot that reads and writes lines of JSON, with the standard library only.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
)

// Object is a JSON object. Numbers in it are float64.
type Object = map[string]any

// Message has the fields that this bot needs.
type Message struct {
	Type string
	ID   int
	Ask  Object
	View Object
}

// decide

func say(message Object) {
	line, _ := json.Marshal(message)
	fmt.Println(string(line))
}

func main() {
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var message Message
		if err := json.Unmarshal(line, &message); err != nil {
			log.Fatal(err)
		}
		switch message.Type {
		case "hello":
			say(Object{"type": "hello", "name": "Go bot"})
		case "ask":
			action := decide(message.Ask, message.View)
			log.Println("my answer:", action) // you see this on the page of your bot
			say(Object{"type": "answer", "id": message.ID, "action": action})
		}
	}
}
