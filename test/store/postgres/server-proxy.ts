import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The "Sync" message, which ends every query that pg sends in its extended protocol. */
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);

export class ServerProxy {
  readonly #database: URL;
  readonly #sockets = new Set<Socket>();
  readonly #heldWrites: (() => void)[] = [];
  #listener: Server | undefined;
  #port = 0;
  #heldSide: 'requests' | 'answers' | undefined;
  #queriesReceived = 0;
  #messagesReceived = 0;

  constructor(databaseUrl: string) {
    this.#database = new URL(databaseUrl);
  }

  get url(): string {
    return Object.assign(new URL(this.#database), {
      hostname: '127.0.0.1',
      port: String(this.#port),
    }).href;
  }

  get queriesReceived(): number {
    return this.#queriesReceived;
  }

  /** Queries that were sent together count as one. */
  get messagesReceived(): number {
    return this.#messagesReceived;
  }

  async open(): Promise<void> {
    this.#listener = createServer((client) => this.#forward(client));
    this.#listener.listen(this.#port, '127.0.0.1');
    await once(this.#listener, 'listening');
    this.#port = (this.#listener.address() as AddressInfo).port;
  }

  close(): void {
    this.#listener?.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  hold(side: 'requests' | 'answers'): void {
    this.#heldSide = side;
  }

  release(): void {
    this.#heldSide = undefined;
    for (const write of this.#heldWrites.splice(0)) write();
  }

  #forward(client: Socket): void {
    const server = connect(Number(this.#database.port), this.#database.hostname);
    for (const [from, to, side] of [
      [client, server, 'requests'],
      [server, client, 'answers'],
    ] as const) {
      this.#sockets.add(from);
      from
        .on('data', (data) => {
          if (side === 'requests') {
            this.#queriesReceived += countOf(SYNC, data);
            this.#messagesReceived++;
          }
          if (side === this.#heldSide) this.#heldWrites.push(() => to.write(data));
          else to.write(data);
        })
        .on('error', () => undefined)
        .on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
    }
  }
}

function countOf(message: Buffer, data: Buffer): number {
  let count = 0;
  for (let at = data.indexOf(message); at !== -1; at = data.indexOf(message, at + message.length))
    count++;
  return count;
}
