import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { visibleText } from '../../domain/strings.ts';
import type { ObservedCall } from '../../observe/listener.ts';
import { LoopWatch } from '../../observe/loop-watch.ts';
import { correlateCall } from '../../observe/observer.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { PayloadMap } from '../../schema/ingest/payload-map.ts';
import {
  type DeadLetter,
  MessageBatcher,
  type MessageCounts,
} from '../../service/ingest/message-batcher.ts';
import { mapSubscriptions } from '../../service/ingest/payload/payload-map.ts';
import { loopLog } from '../process/call-log.ts';
import {
  EXIT,
  onceAborted,
  reportRefusal,
  usageError,
  withStopSignal,
} from '../process/command.ts';
import { type Log, lazyLog } from '../process/log.ts';
import { print } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { type BatchTarget, openServiceTarget, openStoreTarget } from './batch-target.ts';
import { type BrokerAddress, parseBrokerAddress } from './broker-address.ts';
import { assertNoCompanyOption } from './company-option.ts';
import { describeLeftOut } from './ingest-counts.ts';
import { loadMap, type MapOptions } from './map-options.ts';
import { connectToBroker } from './mqtt-connection.ts';

interface IngestMqttOptions extends MapOptions {
  readonly broker?: string | undefined;
  readonly clientId?: string | undefined;
  readonly company?: string | undefined;
}

export const runIngestMqtt = (options: IngestMqttOptions, settings: Settings): Promise<number> =>
  withStopSignal(async (stopping) => {
    const log = lazyLog(settings.logLevel);
    let target: BatchTarget | undefined;
    try {
      const { map, broker, signIn } = await loadMap(options);
      const address = parseBrokerAddress(options.broker ?? broker);
      if (settings.remote !== null) assertNoCompanyOption(options.company);
      assertMapHasTopics(map, options);
      target =
        settings.remote === null
          ? await openStoreTarget(settings, options.company, 'mqtt', log)
          : await openServiceTarget(settings, settings.remote);
      return await listen({ ...options, address, map, signIn, target, settings, log, stopping });
    } catch (error) {
      return reportRefusal(error, ({ status }) => status === 400);
    } finally {
      await target?.close();
    }
  });

function assertMapHasTopics(map: PayloadMap, { map: mapFile }: MapOptions): void {
  if (mapSubscriptions(map).length > 0) return;

  const message = 'These payloads do not come over MQTT: no topic is named.';
  const alternative = 'or send them to POST /v1/ingest.';
  throw mapFile === undefined
    ? usageError(message, `Give --topic the topic to listen to, ${alternative}`, '--topic')
    : usageError(message, `Name their topic in the map, ${alternative}`, '--map');
}

const MAX_LOGGED_TOPIC_CHARS = 200;

interface ListenOptions extends Pick<IngestMqttOptions, 'clientId'> {
  readonly address: BrokerAddress;
  readonly map: PayloadMap;
  readonly signIn: string | null;
  readonly target: BatchTarget;
  readonly settings: Settings;
  readonly log: Log;
  readonly stopping: AbortController;
}

async function listen(options: ListenOptions): Promise<number> {
  const { address, map, signIn, target, settings, log, stopping } = options;
  const clientId = options.clientId ?? defaultClientId(settings);
  let permanentFailure: unknown;
  let isAnnounced = false;
  const batcher = new MessageBatcher({
    map,
    clock: settings.clock,
    write: target.write,
    onDeadLetter: (letter) => void log.warn(loggableLetter(letter), 'message skipped'),
    onRetry: (error, pauseMs) => void logBatchFailure(log, error, pauseMs),
    onPermanentFailure(error) {
      permanentFailure = error;
      stopping.abort();
    },
  });

  const broker = await connectToBroker({
    ...address,
    clientId,
    topics: mapSubscriptions(map),
    onMessage: (message) => batcher.enqueue(message),
    onListening() {
      if (!isAnnounced) print(`Listening to ${address.url} as ${clientId}\n`);
      isAnnounced = true;
      void log.info({ broker: address.url, clientId }, 'listening');
    },
    onTrouble: (reason) =>
      void log.warn(describeTrouble(address, signIn, reason), 'trouble with the broker'),
  });

  const endWatch = watchLoop(log);
  await onceAborted(stopping.signal);
  await batcher.close();
  await broker.end();
  endWatch();
  print(formatMessageCounts(batcher.counts));
  if (permanentFailure !== undefined) throw permanentFailure;

  return EXIT.done;
}

/** Logs the stretches in which nothing else could run, as the service does for its calls. */
function watchLoop(log: Log): () => void {
  const watch = new LoopWatch(loopLog(log).onLongStretch);
  const ingest = { surface: 'cli', operation: 'ingest mqtt', route: null, traceId: null } as const;
  const call: ObservedCall = { ...ingest, ...correlateCall() };
  watch.begin(call);
  return () => watch.end(call);
}

/** Topics (up to 65,535 bytes) and rows come from anybody who may publish to the broker. */
function loggableLetter({ topic, reason, row }: DeadLetter): Readonly<Record<string, string>> {
  const letter = { topic: visibleText(topic.slice(0, MAX_LOGGED_TOPIC_CHARS)), reason };
  return row === undefined ? letter : { ...letter, row: visibleText(row) };
}

async function logBatchFailure(log: Log, error: unknown, pauseMs: number): Promise<void> {
  const facts = { againInMs: Math.round(pauseMs) };
  if (error instanceof AcequiaError)
    return log.warn(
      { ...facts, code: error.code, reason: error.message },
      'a batch could not be stored yet',
    );

  return log.warn(
    { ...facts, reference: await log.unexpectedError(error) },
    'a batch could not be stored yet',
  );
}

/** The words of mqtt.js for the return codes of MQTT 3.1.1, section 3.2.2.3. */
const SIGN_IN_REASON = /not authorized|bad username or password/i;

function describeTrouble({ url }: BrokerAddress, signIn: string | null, reason: string) {
  const trouble = { broker: url, reason };
  if (!SIGN_IN_REASON.test(reason)) return trouble;
  const expected = signIn === null ? '' : `: ${signIn}`;
  return { ...trouble, hint: `set ACEQUIA_MQTT_USERNAME and ACEQUIA_MQTT_PASSWORD${expected}` };
}

function formatMessageCounts(counts: MessageCounts): string {
  const { messages, written, changed, unchanged, weather, deadLetters, ignored } = counts;
  const parts = [
    `${written} readings written`,
    `${changed} changed`,
    `${unchanged} unchanged`,
    `${deadLetters} refused`,
  ];
  if (weather > 0) parts.push(`${weather} rows of weather written`);
  parts.push(...describeLeftOut(counts));
  if (ignored > 0) parts.push(`${ignored} messages ignored`);

  return `${messages} messages: ${parts.join(', ')}.\n`;
}

/** Unique for a store on a machine, and stable across restarts. */
function defaultClientId({ remote, db }: Settings): string {
  const hash = createHash('sha256')
    .update(`${hostname()}\n${remote ?? db}`)
    .digest('hex');
  return `acequia-${hash.slice(0, 12)}`;
}
