import type { UnitSystem } from '../../../src/domain/units.ts';
import { toolNameOf } from '../../../src/operation/operation-fields.ts';
import { SCOPES } from '../../../src/schema/scope.ts';
import { importFarm } from '../../../src/service/farm/farm-import.ts';
import { createKey } from '../../../src/service/keys/key-administration.ts';
import { allCompanies } from '../../../src/store/company/companies.ts';
import { openStore } from '../../../src/store/store.ts';
import { operationsByName } from '../../../tools/index.ts';
import type { WireFields } from '../../operation-calls.ts';
import { recordedAnswer } from '../../recorded/recorded-answer.ts';
import type { McpSession } from '../mcp-session.ts';
import { CLOCK, type Json } from '../program.ts';
import { restRequest, serveStore, storeForFile, toolArguments } from '../test-surfaces.ts';
import { ERROR_ENDPOINTS, ERROR_ROWS, type ErrorCase, type KeyHolder } from './errors-table.ts';

const NOW = Date.parse(CLOCK);
const VERA = { email: 'vera@example.org', name: 'Vera' };
const COMMISSIONED = { category: 'SOIL_PROBE', commissionedAt: '2025-01-11T09:00:00Z' };
const INSTALLATION = { system: 'sprinkler', flowMmPerH: 6 };

interface FarmNames {
  readonly company: string;
  readonly parcel: string;
  readonly probe: string;
  readonly unused: string;
}

const USUAL_NAMES: FarmNames = {
  company: 'Mas Rouge',
  parcel: 'North block',
  probe: 'North 1',
  unused: 'In its box',
};
/** They read as quantities, a tool and an endpoint. */
const HOSTILE_NAMES: FarmNames = {
  company: 'GET /alerts',
  parcel: 'Row 2 in (50 mm)',
  probe: '12 mm',
  unused: 'log_watering',
};

interface ErrorsFarmOptions {
  readonly units: UnitSystem;
  readonly names: FarmNames;
}

const USUAL: ErrorsFarmOptions = { units: 'metric', names: USUAL_NAMES };
export const HOSTILE: ErrorsFarmOptions = { units: 'us', names: HOSTILE_NAMES };

const farmOf = (viewersRole: string, { units, names }: ErrorsFarmOptions): object => ({
  company: { name: names.company, timezone: 'Europe/Paris', units },
  users: [
    { email: 'ana@example.org', name: 'Ana', role: 'OWNER' },
    { ...VERA, role: viewersRole },
  ],
  parcels: [{ name: names.parcel, installation: INSTALLATION }],
  modules: [
    {
      uid: 'A1',
      name: names.probe,
      parcel: names.parcel,
      installation: INSTALLATION,
      ...COMMISSIONED,
    },
    { uid: 'A2', name: names.unused, category: 'SOIL_PROBE', commissionedAt: null },
  ],
});
const OTHER_FARM = {
  company: { name: 'Mas Bleu' },
  parcels: [{ name: 'Blue block' }],
  modules: [{ uid: 'B1', name: 'Blue 1', ...COMMISSIONED }],
};

export type HolderKeys = Readonly<Record<KeyHolder, string>>;

/** Two farms, of which the keys belong to one. */
async function importFarms(db: string, options: ErrorsFarmOptions): Promise<HolderKeys> {
  const store = await openStore({ db });
  try {
    await importFarm(store, JSON.stringify(farmOf('MANAGER', options)), NOW);
    await importFarm(store, JSON.stringify(OTHER_FARM), NOW, { newCompany: true });
    const company = (await store.readAll(allCompanies)).find(
      ({ name }) => name === options.names.company,
    )!;
    const newKey = async (user: string | undefined, scopes?: readonly string[]) =>
      (
        await createKey(
          store,
          { company, user, scopes, preset: 'everything', surface: 'api', expiresAt: null },
          NOW,
        )
      ).key;
    const keys = {
      owner: await newKey(undefined),
      'without its scope': await newKey(
        undefined,
        SCOPES.filter((scope) => !scope.endsWith(':write')),
      ),
      viewer: await newKey(VERA.email),
      nobody: await newKey('none'),
    };
    // A key keeps its scopes when its user's role changes.
    await importFarm(store, JSON.stringify(farmOf('VIEWER', options)), NOW);
    return keys;
  } finally {
    await store.close();
  }
}

export class ErrorsFarm {
  readonly base: string;
  readonly keys: HolderKeys;
  readonly #generatedIds: Readonly<Record<string, WireFields>>;

  constructor(base: string, keys: HolderKeys, generatedIds: Record<string, WireFields>) {
    this.base = base;
    this.keys = keys;
    this.#generatedIds = generatedIds;
  }

  request(operation: string, wire: WireFields, holder: KeyHolder = 'owner'): Promise<Response> {
    return restRequest(this.base, this.keys[holder], operationsByName.get(operation)!, wire);
  }

  /** Which the endpoint would carry out. */
  validRequest(endpoint: string): WireFields {
    return { ...ERROR_ENDPOINTS[endpoint]!.valid, ...this.#generatedIds[endpoint] };
  }
}

/** Serves the farms for all tests of a file, with a watering, a drawing and an alert. */
export async function serveErrorsFarm(options = USUAL): Promise<ErrorsFarm> {
  const db = await storeForFile();
  const keys = await importFarms(db, options);
  const base = await serveStore(db);
  const written = async (operation: string, wire: WireFields): Promise<Json> => {
    const answer = await restRequest(base, keys.owner, operationsByName.get(operation)!, wire);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${operation} was refused: ${text}`);
    return JSON.parse(text);
  };

  await written('log_watering', ERROR_ENDPOINTS['POST watering']!.valid);
  const drawn = { moduleId: 1, type: 'h-line', p1: [NOW, 40], unit: 'mm', style: { fill: 'red' } };
  const { id: annotationId } = await written('create_annotation', drawn);
  const { id: alertId } = await written('create_alert', ERROR_ENDPOINTS['POST alert']!.valid);
  return new ErrorsFarm(base, keys, {
    'PATCH annotation': { annotationId },
    'PATCH alert': { alertId },
  });
}

export type NamedErrorCase = readonly [
  name: string,
  endpoint: string,
  status: number,
  code: string,
  provoked: ErrorCase,
];

export const errorPairs = ERROR_ROWS.flatMap(({ endpoint, status, codes }) =>
  Object.entries(codes).map(([code, how]) => ({ endpoint, status, code, how })),
);

export const errorCases: NamedErrorCase[] = errorPairs.flatMap(({ endpoint, status, code, how }) =>
  'reason' in how ? [] : [[`${endpoint}: ${status} ${code}`, endpoint, status, code, how]],
);

/** What each row says as a tool, by the session of the holder that it is for. */
export async function saidByTools(
  farm: ErrorsFarm,
  surface: string,
  connect: (key: string) => Promise<McpSession>,
): Promise<Record<string, Json>> {
  const said: Record<string, Json> = {};
  const sessions = new Map<KeyHolder, McpSession>();
  for (const [name, endpoint, , , { change, holder }] of errorCases) {
    const session = sessions.get(holder) ?? (await connect(farm.keys[holder]));
    sessions.set(holder, session);
    const operation = operationsByName.get(ERROR_ENDPOINTS[endpoint]!.operation)!;
    const wire = { ...farm.validRequest(endpoint), ...change };
    const result = await session.call(toolNameOf(operation), toolArguments(operation, wire));
    // A tool takes some of what REST refuses. Its body has instants of the running clock.
    const { body: _, ...texts } = recordedAnswer(result);
    said[`${surface}, ${name}`] = texts;
  }
  return said;
}
