import { LANGS } from '../domain/lang.ts';
import { code, operationName } from '../domain/text/program-names.ts';
import type { NameOperation } from '../domain/text/program-text.ts';
import { say, verbatim, verbatimText } from '../domain/text/say.ts';
import type { Confirmation } from '../schema/changes/change.ts';
import { AcequiaError, type EarlierCallTimes } from '../schema/error.ts';
import type { AnyOperation, ArgumentContext, Endpoint } from './operation.ts';

export const endpointName = ({ method, path }: Endpoint): string => `${method} ${path}`;

type NamedOperation = Pick<AnyOperation, 'name' | 'endpoint'>;

/**
 * Replaces tool names by endpoints, for clients of REST. Skips quoted words, which are the client's
 * own, words in a path, and words before a colon, which begin a scope ("readings:read").
 */
export const toolNamesToEndpoints = (
  text: string,
  operations: ReadonlyMap<string, NamedOperation>,
): string => text.replace(/"[^"]*"|(?<!\/)\b[a-z_]+\b(?!:)/g, endpointNames(operations));

export const endpointNames =
  (operations: ReadonlyMap<string, NamedOperation>): NameOperation =>
  (tool) => {
    const operation = operations.get(tool);
    return operation === undefined ? tool : endpointName(operation.endpoint);
  };

/**
 * In a request: the language of advisories ("fr"; "1": the service's choice). In a response: the
 * advisories.
 */
export const ADVISORIES_HEADER = 'acequia-remarks';

/** Requests facts instead of sentences. */
export const ADVISORY_FACTS_HEADER = 'acequia-note-facts';

/** In a request: requests the parts of what an error says, in addition to its strings. */
export const ERROR_TEXTS_HEADER = 'acequia-error-texts';

/** Gives the id of the change in the response of a write. */
export const CHANGE_HEADER = 'acequia-change-id';

/** In a response: it is the stored answer of an earlier request. */
export const REPLAYED_HEADER = 'idempotent-replayed';

/** When that was made, or the answer under a key that is refused because it was reused. */
export const ANSWERED_AT_HEADER = 'idempotent-answered-at';

/**
 * In a write with a key: when, by the clock of the client, its words ("20 minutes ago") were read.
 * In the refusal of a key that was reused: the same of the first write.
 */
export const WORDS_READ_AT_HEADER = 'acequia-words-read-at';

/**
 * In a write: "1" if it is the call of a tool, whose person is asked about what is hardly meant, by
 * refusals where REST takes it as specified.
 */
export const TOOL_CALL_HEADER = 'acequia-tool-call';

/**
 * In a request: the zone, country and units of the company in which its client read the words of a
 * person, as a query. If they are others by now, the request is refused with COMPANY_CHANGED.
 */
export const READ_IN_HEADER = 'acequia-read-in';
export const COMPANY_CHANGED = 'COMPANY_CHANGED';

export type ReadingFormats = Pick<ArgumentContext, 'zone' | 'countryCode' | 'units'>;

export const formatReadInHeader = ({ zone, countryCode, units }: ReadingFormats): string =>
  new URLSearchParams({ zone, country: countryCode ?? '', units }).toString();

export function assertReadIn(headers: RequestHeaders, formats: ReadingFormats): void {
  const header = headers[READ_IN_HEADER];
  if (header === undefined) return;
  const { zone, countryCode, units } = formats;
  const read = new URLSearchParams(header.toString());
  const isSame =
    read.get('zone') === zone &&
    read.get('country') === (countryCode ?? '') &&
    read.get('units') === units;
  if (isSame) return;

  const country = countryCode === null ? say`no country` : say`country ${verbatim(countryCode)}`;
  throw new AcequiaError({
    code: COMPANY_CHANGED,
    status: 409,
    message: say`The time zone, country or units of the company have changed. Now: ${verbatim(zone)}, ${country}, ${code(units)} units.`,
    hint: say`Nothing was changed. Read ${operationName('get_company')}, then repeat the call with its times and amounts read anew.`,
  });
}

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

export function parseInstantHeader(headers: RequestHeaders, name: string): number | null {
  const at = Date.parse(String(headers[name]));
  return Number.isNaN(at) ? null : at;
}

export function earlierCallHeaders({ answeredAt, wordsReadAt }: EarlierCallTimes) {
  const headers: Record<string, string> = {
    [ANSWERED_AT_HEADER]: new Date(answeredAt).toISOString(),
  };
  if (wordsReadAt !== null) headers[WORDS_READ_AT_HEADER] = new Date(wordsReadAt).toISOString();
  return headers;
}

/** Null if no earlier call is named. */
export function parseEarlierCall(headers: RequestHeaders): EarlierCallTimes | null {
  const answeredAt = parseInstantHeader(headers, ANSWERED_AT_HEADER);
  if (answeredAt === null) return null;
  return { answeredAt, wordsReadAt: parseInstantHeader(headers, WORDS_READ_AT_HEADER) };
}

export function parseAdvisoriesRequest(headers: RequestHeaders) {
  const header = headers[ADVISORIES_HEADER];
  const lang = LANGS.find((each) => each === header) ?? null;
  return lang === null && header !== '1'
    ? null
    : { lang, wantsFacts: headers[ADVISORY_FACTS_HEADER] === '1' };
}

/** Rolls a call back before a person has confirmed it. */
export class ConfirmationRequired extends Error {
  readonly confirmation: Confirmation;

  constructor(confirmation: Confirmation) {
    super('A person has to confirm this call');
    this.confirmation = confirmation;
  }
}

/**
 * In a request: a person can be asked, in this language, or was asked and confirmed it. A service
 * that does not know it asks nothing.
 */
export const CONFIRMATION_HEADER = 'acequia-confirmation';
export const CONFIRMED = 'given';

export const CONFIRMATION_REQUIRED = 'CONFIRMATION_REQUIRED';

/** Serves a caller that can ask the person: its message is the question, as the person reads it. */
export const confirmationRequiredError = (question: string): AcequiaError =>
  new AcequiaError({
    code: CONFIRMATION_REQUIRED,
    status: 409,
    message: verbatimText(question),
    hint: say`Nothing was changed. Put this question to the person, and repeat the call once they confirm it.`,
  });
