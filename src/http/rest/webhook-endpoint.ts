import type { IncomingMessage } from 'node:http';
import type { TimeSlice } from '../../domain/event-loop.ts';
import { entryOf } from '../../domain/items.ts';
import { sliceOf } from '../../domain/shares/loop-turns.ts';
import { quote } from '../../domain/strings.ts';
import type { CallTrace } from '../../observe/observer.ts';
import { readRestArguments } from '../../operation/arguments/rest-arguments.ts';
import { authorize, type Identify, type Identity, takerOf } from '../../operation/authorization.ts';
import { LocalRunner } from '../../operation/local/local-runner.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import type { OperationRequest } from '../../operation/operation-runner.ts';
import { type AcequiaError, plainError, plainInputError } from '../../schema/error.ts';
import { type IngestResult, MAX_SMALL_BATCH_BYTES } from '../../schema/ingest/ingest-batch.ts';
import type { PayloadMap } from '../../schema/ingest/payload-map.ts';
import { isWebhookScope, webhookOf, webhookScope } from '../../schema/scope.ts';
import type { ItemLists } from '../../service/ingest/message-batch.ts';
import { rejectedValueCount } from '../../service/ingest/payload/message-items.ts';
import { MESSAGE_PAYLOAD } from '../../service/ingest/payload/payload.ts';
import { allPresets, isForMqttAlone, mapOfPresets } from '../../service/ingest/payload/presets.ts';
import type { ReadMessage } from '../../service/ingest/payload/read-payload.ts';
import { readInSlices } from '../../service/ingest/payload/unread-message.ts';
import { isKey, keyNeededError } from '../../service/keys/api-keys.ts';
import type { Admit, Admitted } from '../admission/admission.ts';
import { receiveBytes } from '../body/request-body.ts';
import { type HttpReply, jsonReply, type ResponseHeaders } from '../reply.ts';
import type { RestOptions } from './rest-endpoint.ts';

interface WebhookRequest {
  readonly incoming: IncomingMessage;
  /** The name of a preset or map, or the key of a sender that cannot set headers. */
  readonly nameOrKey: string;
  /** The message of a sender that has no body; undefined to read the body. */
  readonly payload?: Buffer;
  readonly trace: CallTrace;
}

export interface WebhookOptions extends RestOptions {
  /** Maps by name, in addition to the presets. */
  readonly maps?: ReadonlyMap<string, PayloadMap>;
}

/** Accepts what networks and gateways post by themselves, in their own format. */
export class WebhookEndpoint {
  readonly #options: WebhookOptions;
  readonly #admit: Admit;

  constructor(options: WebhookOptions, admit: Admit) {
    this.#options = options;
    this.#admit = admit;
  }

  async answer(request: WebhookRequest, headers: ResponseHeaders): Promise<HttpReply> {
    const ingest = entryOf(this.#options.operations, 'ingest');
    const { incoming, nameOrKey } = request;
    const key = isKey(nameOrKey) ? nameOrKey : undefined;
    const admitted = await this.#admit(
      { incoming, acceptsBearerKeys: true, scope: ingest.scope, key },
      headers,
    );

    try {
      return await this.#accept(ingest, request, admitted);
    } catch (error) {
      await admitted.challengeScope(error);
      throw error;
    }
  }

  async #accept(
    ingest: AnyOperation,
    { incoming, nameOrKey, payload: inPath, trace }: WebhookRequest,
    admitted: Admitted,
  ): Promise<HttpReply> {
    const { clock, limits, maps = new Map() } = this.#options;
    const identify = withWebhookAccess(admitted.identify, ingest, nameOrKey);
    const knownIdentity = await this.#runner(admitted, { identify }).identity(trace);

    const name = mapName(nameOrKey, knownIdentity);
    const map = findMap(maps, name);
    const payload = inPath ?? (await receiveBytes(incoming, limits, MESSAGE_PAYLOAD.maxBytes));

    const store = async (items: Partial<ItemLists>): Promise<IngestResult> => {
      const isSmallBatch = payload.length <= MAX_SMALL_BATCH_BYTES;
      const ingestRequest = { ...toIngestRequest(ingest, items, trace), isSmallBatch };
      const { body } = await this.#runner(admitted, { knownIdentity }).run(ingest, ingestRequest);
      return body as IngestResult;
    };
    const slice = sliceOf(takerOf(knownIdentity.caller));
    const message: PostedMessage = { map, name, payload, now: clock(), slice };
    const run = (): Promise<HttpReply> => storeMessage(message, store, trace);
    return admitted.shares.runCall(trace.measureWait(run));
  }

  #runner(
    { shares }: Admitted,
    caller: { readonly identify: Identify } | { readonly knownIdentity: Identity },
  ): LocalRunner {
    const { store, operations, clock, onReadings, evaluateAlerts, report } = this.#options;
    return new LocalRunner({
      store: shares.storeInTurn(store),
      operations,
      clock,
      onReadings,
      evaluateAlerts,
      report,
      ...caller,
    });
  }
}

interface PostedMessage {
  readonly map: PayloadMap;
  /** The name of the preset or map. */
  readonly name: string;
  readonly payload: Buffer;
  readonly now: number;
  readonly slice: TimeSlice;
}

async function storeMessage(
  { map, name, payload, now, slice }: PostedMessage,
  store: (items: Partial<ItemLists>) => Promise<IngestResult>,
  trace: CallTrace,
): Promise<HttpReply> {
  trace.mark();
  const message = { topic: null, payload };
  const { parsed, unread } = await readInSlices({ map, message, via: name, now }, slice);

  if (parsed.kind === 'items') {
    const { readings, rain, weather, gateways, devices, source = name } = parsed;
    const result = await store({
      readings,
      rain,
      weather,
      gateways,
      devices,
      unread,
      source,
    });
    const isRead = parsed.rejectedValues.length + readings.length > 0;
    const ignored = isRead ? undefined : unread[0]?.reason.text;
    return acceptedReply({ ...toCounts(result, parsed), ignored });
  }

  if (unread.length > 0) await store({ unread, source: name });
  if (parsed.kind === 'unreadable') throw unreadablePayloadError(parsed.reason.text);
  return acceptedReply({ ...NO_COUNTS, ignored: (unread[0] ?? parsed).reason.text });
}

/**
 * A key for one webhook has no other rights, and only such a key may be in a path, where others may
 * read it.
 */
const withWebhookAccess =
  (identify: Identify, ingest: AnyOperation, nameOrKey: string): Identify =>
  async (all) => {
    const identity = await identify(all);
    const { caller } = identity;
    const webhook = caller.scopes.find(isWebhookScope);
    if (isKey(nameOrKey)) {
      if (webhook === undefined) throw keyNeededError();
    } else if (webhook === undefined) authorize(caller, ingest);
    else if (webhook !== webhookScope(nameOrKey)) throw otherWebhookError(webhookOf(webhook));

    const confirm = identity.confirm && withWebhookAccess(identity.confirm, ingest, nameOrKey);
    return { ...identity, webhook, confirm, caller: { ...caller, scopes: [ingest.scope] } };
  };

const otherWebhookError = (name: string): AcequiaError =>
  plainError({
    code: 'insufficient_scope',
    status: 403,
    message: `This key is for the webhook ${name} alone.`,
    hint: `Post to /v1/ingest/${name}, or make another key with "acequia keys create --webhook NAME".`,
  });

/** A key in the path stands for the webhook that it may call. */
function mapName(nameOrKey: string, { webhook }: Identity): string {
  if (!isKey(nameOrKey)) return nameOrKey;
  if (webhook === undefined) throw keyNeededError();
  return webhookOf(webhook);
}

function findMap(maps: ReadonlyMap<string, PayloadMap>, name: string): PayloadMap {
  const map = maps.get(name);
  if (map !== undefined) return map;

  const preset = allPresets().find((each) => each.name === name);
  if (preset !== undefined && isForMqttAlone(preset))
    throw plainInputError('invalid_parameter', `The preset ${name} is for MQTT.`, {
      hint: `Its devices are named in topics: run "acequia ingest mqtt --preset ${name}".`,
      field: 'name',
    });
  if (preset !== undefined) return mapOfPresets([preset], undefined);

  throw plainError({
    code: 'not_found',
    status: 404,
    message: `There is no preset or map ${quote(name)}.`,
    hint: '"acequia ingest presets" lists the presets; "acequia serve --maps FOLDER" reads maps.',
  });
}

const unreadablePayloadError = (reason: string) =>
  plainInputError('invalid_body', `The payload cannot be read: ${reason}.`, {
    hint: '"acequia ingest try" shows what a payload becomes; docs/probes.md shows what to set at the sender.',
  });

const toIngestRequest = (
  ingest: AnyOperation,
  items: Partial<ItemLists>,
  trace: CallTrace,
): OperationRequest => ({
  rawArguments: {},
  wantsSummary: false,
  wantsAdvisoryTexts: false,
  trace,
  async readArguments(context) {
    const parsed = await readRestArguments(ingest, {}, context);
    return { ...parsed, input: { ...parsed.input, ...items } };
  },
});

const NO_COUNTS = {
  readings: { written: 0, changed: 0, unchanged: 0, refused: 0, storedUnassigned: 0 },
  failedMeasurements: 0,
  reasons: [],
};

const toCounts = ({ readings, rain, weather, reasons }: IngestResult, message: ReadMessage) => {
  const { repeated: _, ...counts } = readings;
  return {
    readings: { ...counts, refused: counts.refused + rejectedValueCount(message.rejectedValues) },
    rain: message.rain.length > 0 ? rain : undefined,
    weather: message.weather.length > 0 ? weather : undefined,
    failedMeasurements: message.failedMeasurements,
    reasons: [
      ...reasons,
      ...message.rejectedValues.map(({ reason, count: left }) => ({
        reason: reason.text,
        count: left,
      })),
    ],
  };
};

const acceptedReply = (body: object): HttpReply => jsonReply(202, body);
