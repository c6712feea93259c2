import type { IClientOptions, MqttClient } from 'mqtt';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { BrokerMessage } from '../../service/ingest/message-batcher.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = MINUTE_MS;
const KEEPALIVE_S = 30;
const CONNECT_MS = 20_000;

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
 * mqtt.js acknowledges a message as soon as its handler ends without an error, too early for us.
 */
const NOT_YET_ACKNOWLEDGED = new Error('acknowledged once stored');

/**
 * QoS 1 in a persistent session: a message is acknowledged once it is stored, and delivered again
 * otherwise.
 */
export async function connectToBroker(options: BrokerOptions) {
  const { topics, onMessage, onListening, onTrouble } = options;
  const { default: mqtt } = await import('mqtt');
  let pause = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  let isListening = false;
  let isEnding = false;
  const client = mqtt.connect(options.url, clientOptions(options));

  client.handleMessage = (packet, done) => {
    // A packet id is void on the next connection, where the message is delivered again.
    const { stream } = client;

    const acknowledge = (): void => {
      if (packet.qos === 1 && client.connected && client.stream === stream)
        stream.write(pubackPacket(packet.messageId!));
    };

    const payload = Buffer.from(packet.payload as Buffer);
    void onMessage({ topic: packet.topic, payload, isRetained: packet.retain, acknowledge }).then(
      () => done(packet.qos === 0 ? undefined : NOT_YET_ACKNOWLEDGED),
    );
  };
  client.on('connect', () => {
    client.subscribe([...topics], { qos: 1 }, (error, granted = []) => {
      if (error) onTrouble(`subscribing to the topics failed: ${error.message}`);
      for (const { topic, qos } of granted) if (qos > 1) onTrouble(`the broker refuses ${topic}`);
      if (error) return;
      pause = FIRST_PAUSE_MS;
      isListening = true;
      onListening();
    });
  });
  client.on('error', (error) => onTrouble(describeError(error)));
  client.on('close', () => {
    if (isEnding) return;
    if (isListening) onTrouble('the connection was lost');
    isListening = false;
    clearTimeout(timer);
    timer = setTimeout(() => client.reconnect(), pause * (0.5 + Math.random() / 2));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  });

  return {
    async end() {
      isEnding = true;
      clearTimeout(timer);
      await endClient(client);
    },
  };
}

function clientOptions({ clientId, username, password }: BrokerOptions): IClientOptions {
  const options: IClientOptions = {
    clientId,
    clean: false,
    keepalive: KEEPALIVE_S,
    connectTimeout: CONNECT_MS,
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
