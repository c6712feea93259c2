import { z } from 'zod/v3';
import { SECOND_MS } from '../../domain/periods.ts';
import { isRecord } from '../../domain/records.ts';
import { quote } from '../../domain/strings.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import { parseServiceAddress, type ServiceAddress } from '../../remote/service/connection.ts';
import { monotonicMs } from '../../remote/service/deadline.ts';
import { REMOTE_LIMITS } from '../../remote/service/remote-limits.ts';
import { findKeyError, RemoteService } from '../../remote/service/remote-service.ts';
import { parseEndpoints, supportedOperations } from '../../remote/service/supported-operations.ts';
import { AcequiaError } from '../../schema/error.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

/** How long the service may take to answer for the company, and with openapi.json. */
interface AnswerLimits {
  readonly companyMs: number;
  readonly documentMs: number;
}

const ANSWER_LIMITS: AnswerLimits = { companyMs: 10_000, documentMs: REMOTE_LIMITS.documentMs };

interface RemoteCheck {
  readonly url: string;
  readonly key: string | null;
  readonly operations: readonly AnyOperation[];
  readonly limits?: AnswerLimits;
}

/** The body of an answer, which may have any form, or the AcequiaError of a refusal. */
type ServiceAnswer = unknown;

export async function checkRemote({
  url,
  key,
  operations,
  limits = ANSWER_LIMITS,
}: RemoteCheck): Promise<DoctorFinding[]> {
  const keyError = findKeyError(key);
  if (keyError) return [findingsAbout('key').bad(keyError.message, keyError.hint ?? KEY_ADVICE)];

  const service = new RemoteService({ url, key, limits: { ...REMOTE_LIMITS, maxAttempts: 1 } });
  const request = (path: string, timeoutMs: number): Promise<ServiceAnswer> =>
    service.get(path, {}, z.unknown(), monotonicMs() + timeoutMs).catch(asRefusal);

  try {
    const [companyAnswer, openApiAnswer] = await Promise.all([
      request('/company', limits.companyMs),
      request('/openapi.json', limits.documentMs),
    ]);
    const address = service.address();
    const finding = checkService(address, companyAnswer, openApiAnswer);
    if (finding.level === 'bad') return [finding];

    return [
      finding,
      ...checkAddress(parseServiceAddress(url), address),
      checkKey(key, companyAnswer),
      checkTools(address, openApiAnswer, operations),
    ];
  } finally {
    await service.close();
  }
}

function asRefusal(error: unknown): AcequiaError {
  if (error instanceof AcequiaError) return error;
  throw error;
}

/** False for a refusal such as 403, which shows that the service works. */
const isOutOfOrder = (answer: ServiceAnswer): answer is AcequiaError =>
  answer instanceof AcequiaError && answer.status >= 500;

function checkService(
  { origin, basePath }: ServiceAddress,
  companyAnswer: ServiceAnswer,
  openApiAnswer: ServiceAnswer,
): DoctorFinding {
  const newFinding = findingsAbout('service');
  const serviceUrl = `${origin}${basePath}`;
  if (!isOutOfOrder(companyAnswer)) return newFinding.good(`${serviceUrl} answers`);

  const { message, hint } = companyAnswer;
  const text = isOutOfOrder(openApiAnswer)
    ? message
    : `${serviceUrl} answers, but not for the company: ${message}`;
  return newFinding.bad(text, hint ?? 'Check the log of the service.');
}

function checkAddress(configured: ServiceAddress, found: ServiceAddress): DoctorFinding[] {
  if (configured.basePath === found.basePath) return [];
  const address = `${found.origin}${found.basePath}`;
  const text = `the service is at ${address}, not at ${configured.origin}${configured.basePath}`;
  return [
    findingsAbout('address').doubtful(
      text,
      `Use the remote address ${address}: looking for it takes time.`,
    ),
  ];
}

const KEY_ADVICE =
  'Put a key of that service into ACEQUIA_API_KEY; "acequia keys create --preset assistant" makes one on the service.';

function checkKey(key: string | null, companyAnswer: ServiceAnswer): DoctorFinding {
  const newFinding = findingsAbout('key');
  if (!(companyAnswer instanceof AcequiaError)) {
    if (key === null) return newFinding.good('none is set, and the service needs none');
    const name = isRecord(companyAnswer) ? companyAnswer.name : undefined;
    const forCompany = typeof name === 'string' ? ` for the company ${quote(name)}` : '';
    return newFinding.good(`accepted${forCompany}`);
  }

  const { status, message } = companyAnswer;
  if (status === 401)
    return newFinding.bad(
      key === null ? 'none is set, and the service needs one' : `not accepted: ${message}`,
      KEY_ADVICE,
    );

  return newFinding.doubtful(
    `this key may not read the company: ${message}`,
    WITHHELD_ADVICE[status] ?? companyAnswer.hint ?? 'Run the doctor again in a minute.',
  );
}

const ADDRESS_ADVICE = 'Check that the remote address is that of the service and ends in /v1.';

const WITHHELD_ADVICE: Readonly<Record<number, string>> = {
  403: 'Local times cannot be read without the company’s time zone: use a key with the scope company:read.',
  404: ADDRESS_ADVICE,
};

function checkTools(
  { basePath }: ServiceAddress,
  openApiAnswer: ServiceAnswer,
  operations: readonly AnyOperation[],
): DoctorFinding {
  const newFinding = findingsAbout('tools');
  const endpoints =
    openApiAnswer instanceof AcequiaError ? null : parseEndpoints(openApiAnswer, basePath);
  if (endpoints !== null) {
    const { size } = supportedOperations(endpoints, operations);
    return size === 0
      ? newFinding.bad(
          'none is offered: the openapi.json of the service has none of our endpoints',
          ADDRESS_ADVICE,
        )
      : newFinding.good(
          `${size} of ${operations.length} are offered, those whose endpoints its openapi.json names`,
        );
  }

  const all = `all ${operations.length} are offered`;
  if (!isOutOfOrder(openApiAnswer))
    return newFinding.good(
      `${all}: the service has no openapi.json that says which of them it has`,
    );

  return newFinding.doubtful(
    `${all}, because openapi.json could not be read: ${openApiAnswer.message}`,
    `Check that the service sends /openapi.json within ${REMOTE_LIMITS.documentMs / SECOND_MS} s.`,
  );
}
