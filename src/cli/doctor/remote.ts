import { quoted } from '../../operation/names.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import { type Address, addressOf } from '../../remote/address.ts';
import { BOUNDS, ticking } from '../../remote/bounds.ts';
import { openConnection } from '../../remote/connection.ts';
import { endpointsNamed } from '../../remote/document.ts';
import { offeredBy } from '../../remote/offered.ts';
import { keyFault, openService } from '../../remote/service.ts';
import { AcequiaError } from '../../schema/error.ts';
import { type Finding, findingsOn } from './finding.ts';

/** As long as the company is waited for, in ms; the document, as long as a server waits before it lists its tools. */
const PATIENCE_MS = 10_000;

export interface Remote {
  /** Base address of the service. */
  readonly url: string;
  readonly key: string | null;
  /** All that there could be tools for. */
  readonly operations: readonly AnyOperation[];
}

/** What the service was asked for; an AcequiaError where it did not come. */
type Told = unknown;

/** Asks the service for the company of the key and for its document. Nothing is written there, and the key is not shown. */
export async function checkRemote({ url, key, operations }: Remote): Promise<Finding[]> {
  const fault = keyFault(key);
  if (fault) return [findingsOn('key').bad(fault.message, fault.hint ?? KEY_ADVICE)];
  const address = addressOf(url);
  const bounds = { ...BOUNDS, tries: 1 };
  const connection = openConnection({ address, key, bounds });
  const { get } = openService({ connection, address, key, bounds });
  const told = (path: string, patienceMs: number): Promise<Told> =>
    get(path, {}, ticking() + patienceMs).catch(refusalIn);
  try {
    const [company, document] = await Promise.all([
      told('/company', PATIENCE_MS),
      told('/openapi.json', BOUNDS.documentMs),
    ]);
    const service = checkService(address, company, document);
    if (service.level === 'bad') return [service];
    return [service, checkKey(key, company), checkTools(address, document, operations)];
  } finally {
    await connection.close();
  }
}

function refusalIn(error: unknown): AcequiaError {
  if (error instanceof AcequiaError) return error;
  throw error;
}

/** Bad where it answers neither of the two as a service does. */
function checkService({ origin, base }: Address, company: Told, document: Told): Finding {
  const found = findingsOn('service');
  const at = `${origin}${base}`;
  if (!isBroken(company)) return found.good(`${at} answers`);
  const advice = company.hint ?? 'Look at the log of the service.';
  if (isBroken(document)) return found.bad(company.message, advice);
  return found.bad(`${at} answers, but does not tell of the company: ${company.message}`, advice);
}

/** No answer, or one that is not the interface's; a refusal is an answer. */
const isBroken = (told: Told): told is AcequiaError => told instanceof AcequiaError && told.status >= 500;

const KEY_ADVICE = 'Put a key of that service into ACEQUIA_API_KEY; over there "acequia keys create" makes one.';

function checkKey(key: string | null, company: Told): Finding {
  const found = findingsOn('key');
  if (!(company instanceof AcequiaError)) {
    if (key === null) return found.good('none is given, and the service asks for none');
    const name = (company as { name?: unknown } | null)?.name;
    return found.good(`accepted${typeof name === 'string' ? ` for the company ${quoted(name)}` : ''}`);
  }
  const { status, message } = company;
  if (status === 401)
    return found.bad(
      key === null ? 'none is given, and the service wants one' : `not accepted: ${message}`,
      KEY_ADVICE,
    );
  return found.doubtful(
    `the company is withheld: ${message}`,
    WITHHELD_ADVICE[status] ?? company.hint ?? 'Run the doctor again in a minute.',
  );
}

const ADDRESS_ADVICE = 'Check that the remote address is that of the service and ends in /v1.';

/** By the status with which the company is refused. */
const WITHHELD_ADVICE: Readonly<Record<number, string>> = {
  403: 'Local times cannot be read without its time zone: use a key with the scope company:read.',
  404: ADDRESS_ADVICE,
};

/** How many tools a server would list. */
function checkTools(address: Address, document: Told, operations: readonly AnyOperation[]): Finding {
  const found = findingsOn('tools');
  const named = document instanceof AcequiaError ? null : endpointsNamed(JSON.stringify(document), address);
  const { size } = offeredBy(named, operations);
  const said = `${size} of ${operations.length} are offered`;
  if (named !== null && size === 0)
    return found.bad('none is offered: the document of the service names no endpoint of ours', ADDRESS_ADVICE);
  if (named !== null) return found.good(`${said}, as the document of the service names their endpoints`);
  const specified = `${said}, those of the interface specification`;
  if (!isBroken(document)) return found.good(`${specified}: the service has no document that names more`);
  return found.doubtful(
    `${specified}: the document of the service did not come; ${document.message}`,
    'See that the service gives /openapi.json within 2 s; a server that starts then offers what it names.',
  );
}
