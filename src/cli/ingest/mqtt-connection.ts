import type { IClientOptions, MqttClient } from 'mqtt';
import type { BrokerMessage } from '../../service/ingest/mqtt/message-batcher.ts';

/** Pauses before a lost connection is tried again, in ms: the first, twice as long each time, the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
const KEEPALIVE_S = 30;
const CONNECT_MS = 20_000;

export interface BrokerOptions {
  /** Without user and password. */
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
  /** The name under which the broker keeps what comes while nobody is connected. */
  readonly clientId: string;
  readonly topics: readonly string[];
  /** Takes a message; the next one comes when it resolves. */
  readonly onMessage: (message: BrokerMessage) => Promise<void>;
  /** Hears each time that the topics are subscribed to. */
  readonly onListening: () => void;
  /** Hears why there is no connection, or a topic is refused. */
  readonly onTrouble: (reason: string) => void;
}

export interface BrokerConnection {
  /** Takes leave, after what was acknowledged; the broker goes on keeping messages. */
  end(): Promise<void>;
}

/** What a message is passed on with that is not to be acknowledged yet: the client itself would do so at once. */
const NOT_YET_ACKNOWLEDGED = new Error('acknowledged when it is kept');

/**
 * Listens to a broker, in a session that it keeps, at least once: a message counts as received when it is acknowledged,
 * and comes again otherwise. Connects anew for as long as it takes.
 */
export async function connectToBroker(options: BrokerOptions): Promise<BrokerConnection> {
  const { topics, onMessage, onListening, onTrouble } = options;
  const { default: mqtt } = await import('mqtt');
  let pause = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  let isListening = false;
  let isEnding = false;
  const client = mqtt.connect(options.url, clientOptions(options));

  client.handleMessage = (packet, done) => {
    // An identifier means nothing on the next connection, where the message comes again.
    const { stream } = client;
    const acknowledge = (): void => {
      if (packet.qos === 1 && client.connected && client.stream === stream)
        stream.write(pubackPacket(packet.messageId!));
    };
    const payload = Buffer.from(packet.payload as Buffer);
    void onMessage({ topic: packet.topic, payload, acknowledge }).then(() =>
      done(packet.qos === 0 ? undefined : NOT_YET_ACKNOWLEDGED),
    );
  };
  client.on('connect', () => {
    client.subscribe([...topics], { qos: 1 }, (error, granted = []) => {
      if (error) onTrouble(`the topics are not subscribed to: ${error.message}`);
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

const clientOptions = ({ clientId, username, password }: BrokerOptions): IClientOptions => ({
  clientId,
  clean: false,
  ...(username !== null && { username }),
  ...(password !== null && { password }),
  keepalive: KEEPALIVE_S,
  connectTimeout: CONNECT_MS,
  // Here, with pauses that grow.
  reconnectPeriod: 0,
  resubscribe: false,
});

/** The packet PUBACK. Source: MQTT 3.1.1, section 3.4. */
const pubackPacket = (id: number): Buffer => Buffer.from([0x40, 2, id >> 8, id & 0xff]);

const endClient = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => client.end(!client.connected, () => resolve()));

/** A refused connection may have no words, but several causes. */
function describeError(error: Error & { code?: unknown }): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return error.message || String(first?.message ?? error.code ?? 'the connection failed');
}
