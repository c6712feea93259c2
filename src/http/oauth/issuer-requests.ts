import { isLoopback } from '../../domain/loopback.ts';
import { isObject } from '../../domain/records.ts';
import { type AcequiaError, plainError, tryAgainIn } from '../../schema/error.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;

/** Why the issuer could not be used; for the log, so without anything that the issuer sent. */
export class IssuerError extends Error {}

export interface IssuerResponse {
  readonly status: number;
  /** Null if it is not JSON. */
  readonly json: unknown;
}

/**
 * Follows no redirects, because the metadata has the final addresses. Throws an IssuerError if
 * there is no response, and another error once `closing` is aborted.
 */
export async function requestIssuer(
  url: URL,
  closing: AbortSignal,
  headers: Record<string, string> = {},
): Promise<IssuerResponse> {
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), closing]);
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal,
    });
    const text = await readText(response);
    return { status: response.status, json: parseJson(text) };
  } catch (error) {
    if (error instanceof IssuerError || closing.aborted) throw error;
    const { name, cause } = error as Error & { cause?: { code?: string } };
    const reason =
      name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1000} s` : (cause?.code ?? name);
    throw new IssuerError(`GET ${url.origin}${url.pathname}: ${reason}.`);
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new IssuerError(`GET ${response.url}: more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const toRecord = (json: unknown): Record<string, unknown> => (isObject(json) ? json : {});

/** Tokens and keys travel encrypted, or stay on this machine. */
export const isConfidential = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));

/** Logs why the issuer could not be used. */
export type ReportIssuer = (reason: string) => Promise<void>;

/** Logs an IssuerError and returns a 503 error in its place. */
export async function toUnavailableError(error: unknown, report: ReportIssuer): Promise<unknown> {
  if (!(error instanceof IssuerError)) return error;
  await report(error.message);
  return issuerUnavailableError();
}

/** After a failure, no request is sent to the issuer for this time. */
export const ISSUER_RETRY_AFTER_S = 5;

export const issuerUnavailableError = (): AcequiaError =>
  plainError({
    code: 'issuer_unavailable',
    status: 503,
    message: 'The identity provider cannot be used at present, so no access token can be checked.',
    hint: `${tryAgainIn(ISSUER_RETRY_AFTER_S)} API keys work meanwhile.`,
    retryAfterS: ISSUER_RETRY_AFTER_S,
  });
