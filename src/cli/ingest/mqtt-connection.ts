import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { BrokerMessage } from '../../service/ingest/message-batch.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = MINUTE_MS;
const KEEPALIVE_S = 30;
const CONNECT_TIMEOUT_MS = 20_000;

interface BrokerOptions {
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
  /** The broker queues messages under this name while no client is connected. */
  readonly clientId: string;
  readonly topics: readonly string[];
  readonly onMessage: (message: BrokerMessage) => Promise<void>;
  readonly onListening: () => void;
  readonly onTrouble: (reason: string) => void;
}

/**
 * mqtt.js acknowledges a message as soon as its handler ends without an error, which would be before
 * the message is stored.
 */
const NOT_YET_ACKNOWLEDGED = new Error('acknowledged once stored');

/**
 * QoS 1 in a persistent session: a message is acknowledged once it is stored, and delivered again
 * otherwise.
 */
export async function connectToBroker(options: BrokerOptions): Promise<BrokerConnection> {
  const { default: mqtt } = await import('mqtt');
  return new BrokerConnection(mqtt.connect(options.url, clientOptions(options)), options);
}

class BrokerConnection {
  readonly #client: MqttClient;
  readonly #options: BrokerOptions;
  #pauseMs = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;
  #isListening = false;
  #isEnding = false;

  constructor(client: MqttClient, options: BrokerOptions) {
    this.#client = client;
    this.#options = options;

    client.handleMessage = (packet, done) => void this.#receive(packet).then(done);
    client.on('connect', () => this.#subscribe());
    client.on('error', (error) => options.onTrouble(describeError(error)));
    client.on('close', () => this.#reconnectLater());
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    await endClient(this.#client);
  }

  async #receive(packet: IPublishPacket): Promise<Error | undefined> {
    const client = this.#client;
    const { stream } = client;

    const acknowledge = (): void => {
      // A packet id is void on the next connection, where the message is delivered again.
      const isSameConnection = client.connected && client.stream === stream;
      if (packet.qos === 1 && isSameConnection) stream.write(pubackPacket(packet.messageId!));
    };

    const payload = Buffer.from(packet.payload);
    const { topic, retain: isRetained } = packet;
    await this.#options.onMessage({ topic, payload, isRetained, acknowledge });
    return packet.qos === 0 ? undefined : NOT_YET_ACKNOWLEDGED;
  }

  #subscribe(): void {
    const { topics, onListening, onTrouble } = this.#options;
    this.#client.subscribe([...topics], { qos: 1 }, (error, subscriptions = []) => {
      if (error) onTrouble(`subscribing to the topics failed: ${error.message}`);
      // A refused topic is answered with 128 as its QoS. Source: MQTT 3.1.1, section 3.9.3.
      for (const { topic, qos } of subscriptions)
        if (qos > 1) onTrouble(`the broker refuses ${topic}`);
      if (error) return;

      this.#pauseMs = FIRST_PAUSE_MS;
      this.#isListening = true;
      onListening();
    });
  }

  #reconnectLater(): void {
    if (this.#isEnding) return;
    if (this.#isListening) this.#options.onTrouble('the connection was lost');
    this.#isListening = false;

    clearTimeout(this.#timer);
    const delayMs = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#client.reconnect(), delayMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

function clientOptions({ clientId, username, password }: BrokerOptions): IClientOptions {
  const options: IClientOptions = {
    clientId,
    clean: false,
    keepalive: KEEPALIVE_S,
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectPeriod: 0,
    resubscribe: false,
  };
  if (username !== null) options.username = username;
  if (password !== null) options.password = password;
  return options;
}

/** Source: MQTT 3.1.1, section 3.4. */
const pubackPacket = (id: number): Buffer => Buffer.from([0x40, 2, id >> 8, id & 0xff]);

const endClient = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => client.end(!client.connected, () => resolve()));

function describeError(error: Error & { code?: unknown }): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return error.message || String(first?.message ?? error.code ?? 'the connection failed');
}
