// The line to the workbench: what it tells goes to handlers by name, and it comes back by itself.
const RETRY_MS = 700;

export class Talk {
  constructor(handlers) {
    this.handlers = handlers;
    this.#connect();
  }

  get open() { return this.socket.readyState === WebSocket.OPEN; }

  send(asked) {
    if (this.open) this.socket.send(JSON.stringify(asked));
    return this.open;
  }

  #connect() {
    this.socket = new WebSocket(`ws://${location.host}/talk`);
    this.socket.onmessage = (event) => {
      for (const [name, told] of Object.entries(JSON.parse(event.data))) this.handlers[name]?.(told);
    };
    this.socket.onopen = () => { document.body.dataset.link = "open"; };
    this.socket.onclose = () => {
      document.body.dataset.link = "lost";
      this.handlers.lost?.();
      setTimeout(() => this.#connect(), RETRY_MS);
    };
  }
}
