import type { IncomingMessage } from 'node:http';
import { entryOf } from '../../domain/items.ts';
import { quote } from '../../domain/text.ts';
import type { CallTrace } from '../../observe/observer.ts';
import { readRestArguments } from '../../operation/arguments/rest-arguments.ts';
import { authorize, type Identify, type Identity } from '../../operation/authorization.ts';
import { LocalRunner } from '../../operation/local/local-runner.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import type { OperationRequest } from '../../operation/operation-runner.ts';
import { invalidInputError, notFoundError } from '../../schema/error.ts';
import type { IngestResult } from '../../schema/ingest/ingest-batch.ts';
import type { PayloadMap } from '../../schema/ingest/payload-map.ts';
import { isWebhookScope, webhookOf, webhookScope } from '../../schema/scope.ts';
import { MAX_PAYLOAD_BYTES } from '../../service/ingest/payload/payload.ts';
import { allPresets, mapOfPresets } from '../../service/ingest/payload/presets.ts';
import { type ReadMessage, readPayload } from '../../service/ingest/payload/read-payload.ts';
import { isKey, keyNeededError } from '../../service/keys/api-keys.ts';
import type { Admit, Admitted } from '../admission/admission.ts';
import type { RunQueued } from '../admission/key-queue.ts';
import { collectBytes } from '../body/request-body.ts';
import { type HttpReply, jsonReply, type ResponseHeaders } from '../reply.ts';
import type { RestOptions } from './rest-endpoint.ts';

interface WebhookRequest {
  readonly incoming: IncomingMessage;
  /** The name of a preset or map, or the key of a sender that cannot set headers. */
  readonly nameOrKey: string;
  readonly trace: CallTrace;
}

type WebhookHandler = (request: WebhookRequest, headers: ResponseHeaders) => Promise<HttpReply>;

export interface WebhookOptions extends RestOptions {
  /** Maps by name, in addition to the presets. */
  readonly maps?: ReadonlyMap<string, PayloadMap>;
}

/** Accepts what networks and gateways post by themselves, in their own format. */
export function webhookEndpoint(
  options: WebhookOptions,
  admit: Admit,
  queue: RunQueued,
): WebhookHandler {
  const { store, operations, clock, limits, onReadings, maps = new Map() } = options;
  return async (request, headers) => {
    const ingest = entryOf(operations, 'ingest');
    const { incoming, nameOrKey } = request;
    const key = isKey(nameOrKey) ? nameOrKey : undefined;
    const admitted = await admit(
      { incoming, acceptsBearerKeys: true, scope: ingest.scope, key },
      headers,
    );

    return accept(ingest, request, admitted, key).catch(async (error) => {
      await admitted.challengeScope(error);
      throw error;
    });
  };

  async function accept(
    ingest: AnyOperation,
    { incoming, nameOrKey, trace }: WebhookRequest,
    admitted: Admitted,
    key: string | undefined,
  ): Promise<HttpReply> {
    const identify = withWebhookAccess(
      admitted.identify,
      ingest,
      key === undefined ? nameOrKey : null,
    );
    const runner = (source: { identify?: Identify; knownIdentity?: Identity }) =>
      new LocalRunner({ store, operations, clock, onReadings, ...source });

    const knownIdentity = await runner({ identify }).identity(trace);
    const map = findMap(maps, key === undefined ? nameOrKey : webhookOf(knownIdentity.webhook!));
    const payload = await collectBytes(incoming, { ...limits, maxBytes: MAX_PAYLOAD_BYTES });
    const parsed = readPayload(map, { topic: null, payload }, clock());
    if (parsed.kind === 'unreadable') throw unreadablePayload(parsed.reason);
    if (parsed.kind !== 'items') return acceptedReply({ ...NO_COUNTS, ignored: parsed.reason });

    const storeReadings = async (): Promise<HttpReply> => {
      const { body } = await runner({ knownIdentity }).run(
        ingest,
        toIngestRequest(ingest, parsed, trace),
      );
      return acceptedReply(toCounts(body as IngestResult, parsed));
    };

    return queue(admitted.queueKey, trace.measureWait(storeReadings));
  }
}

/**
 * A key for one webhook has no other rights, and only such a key may be in a path, where others may
 * read it.
 */
const withWebhookAccess =
  (identify: Identify, ingest: AnyOperation, name: string | null): Identify =>
  async (all) => {
    const identity = await identify(all);
    const { caller } = identity;
    const webhook = caller.scopes.find(isWebhookScope);
    const isGranted = name === null ? webhook !== undefined : webhook === webhookScope(name);
    if (name === null && !isGranted) throw keyNeededError();
    if (!isGranted) authorize(caller, ingest);
    const confirm = identity.confirm && withWebhookAccess(identity.confirm, ingest, name);
    return { ...identity, webhook, confirm, caller: { ...caller, scopes: [ingest.scope] } };
  };

function findMap(maps: ReadonlyMap<string, PayloadMap>, name: string): PayloadMap {
  const map = maps.get(name);
  if (map !== undefined) return map;
  const preset = allPresets().find((each) => each.name === name);
  if (preset !== undefined) return mapOfPresets([preset], undefined);
  throw notFoundError(
    `There is no preset or map ${quote(name)}.`,
    '"acequia ingest presets" lists the presets; "acequia serve --maps FOLDER" reads maps.',
  );
}

const unreadablePayload = (reason: string) =>
  invalidInputError('invalid_body', `The payload cannot be read: ${reason}.`, {
    hint: '"acequia ingest try" shows what a payload becomes; docs/probes.md shows what to set at the sender.',
  });

const toIngestRequest = (
  ingest: AnyOperation,
  { readings, rain, weather, gateways, devices }: ReadMessage,
  trace: CallTrace,
): OperationRequest => ({
  rawArguments: {},
  wantsSummary: false,
  wantsAdvisoryTexts: false,
  trace,
  async readArguments(context) {
    const parsed = await readRestArguments(ingest, {}, context);
    return { ...parsed, input: { ...parsed.input, readings, rain, weather, gateways, devices } };
  },
});

const NO_COUNTS = {
  readings: { written: 0, changed: 0, unchanged: 0, refused: 0, storedUnassigned: 0 },
  failedMeasurements: 0,
  reasons: [] as IngestResult['reasons'],
};

const toCounts = ({ readings, rain, weather, reasons }: IngestResult, message: ReadMessage) => {
  const { repeated: _, ...counts } = readings;
  return {
    readings: counts,
    rain: message.rain.length > 0 ? rain : undefined,
    weather: message.weather.length > 0 ? weather : undefined,
    failedMeasurements: message.failedMeasurements,
    reasons,
  };
};

const acceptedReply = (body: object): HttpReply => jsonReply(202, body);
