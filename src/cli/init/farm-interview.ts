import { foldText, quote } from '../../domain/text.ts';
import type {
  FarmFile,
  FarmInstallation,
  FarmModule,
  FarmParcel,
} from '../../schema/farm/farm-file.ts';
import type { Terminal } from '../process/terminal.ts';
import { AnswerError, type ReadAnswer, readAnswers, SENSOR_TYPES } from './answers.ts';
import { Asker } from './asker.ts';

interface FarmDefaults {
  readonly countryCode: string | null;
  readonly timeZoneOf: (country: string | null) => string | null;
}

/** Asks for the contents of a farm file: company, parcels, equipment and probes. Writes nothing. */
export async function interviewFarm(terminal: Terminal, defaults: FarmDefaults): Promise<FarmFile> {
  const asker = new Asker(terminal);
  const farmName = await asker.required('Name of the farm: ', readAnswers.companyName);
  const countryCode =
    defaults.countryCode === null
      ? await asker.optional('Country (Enter to leave it out): ', readAnswers.country)
      : await asker.withDefault('Country', defaults.countryCode, readAnswers.country);
  const timezone = await asker.withDefault(
    'Time zone',
    defaults.timeZoneOf(countryCode),
    readAnswers.timeZone,
  );

  const company = { name: farmName, countryCode, timezone };
  const users = await askUsers(asker);
  const parcels: FarmParcel[] = [];
  const modules: FarmModule[] = [];
  for (;;) {
    const parcelName = await asker.optional(
      parcels.length === 0
        ? 'Name of a parcel (Enter for none): '
        : 'Name of the next parcel (Enter if that was the last): ',
      unlessTaken(readAnswers.parcelName, () => parcels.map((each) => each.name), 'parcel'),
    );
    if (parcelName === null) break;
    parcels.push(await askParcel(asker, parcelName));
    await askProbes(asker, parcelName, modules);
  }

  if (parcels.length === 0) await askProbes(asker, null, modules);
  return { company, users, parcels, modules };
}

async function askUsers(asker: Asker): Promise<FarmFile['users']> {
  const email = await asker.optional(
    'Your e-mail address, for alerts (Enter to leave it out): ',
    readAnswers.email,
  );
  if (email === null) return [];
  return [
    { email, name: await asker.required('Your name: ', readAnswers.userName), role: 'OWNER' },
  ];
}

async function askParcel(asker: Asker, name: string): Promise<FarmParcel> {
  const type = await asker.optional(
    '  Crop, such as olive (Enter to leave it out): ',
    readAnswers.crop,
  );
  const installation = await askEquipment(asker);

  const parcel: FarmParcel = { name };
  if (type !== null) parcel.type = type;
  if (installation !== null) parcel.installation = installation;
  return parcel;
}

async function askEquipment(asker: Asker): Promise<FarmInstallation | null> {
  const system = await asker.optional(
    '  Irrigation: drip, micro_sprinkler, sprinkler, pivot, gravity, manual or other (Enter for none): ',
    readAnswers.system,
  );
  if (system === null) return null;

  const hasEmitters = system === 'drip' || system === 'micro_sprinkler';
  const emitterFlowLph = hasEmitters
    ? await asker.optional(
        '  Litres per hour of one emitter (Enter if unknown): ',
        readAnswers.emitterFlowLph,
      )
    : null;
  const emitters =
    emitterFlowLph === null
      ? null
      : await asker.optional(
          '  Emitters per m2, or their spacing such as 0.5 x 1 m (Enter if unknown): ',
          readAnswers.emitters,
        );

  const flowMmPerH =
    emitters === null
      ? await asker.optional(
          '  Application rate in mm per hour (Enter if unknown): ',
          readAnswers.flowMmPerH,
        )
      : null;

  const irrigatedAreaM2 = await asker.optional(
    '  Irrigated area in hectares (Enter if unknown): ',
    readAnswers.irrigatedAreaM2,
  );

  const installation: FarmInstallation = { system, ...emitters };
  if (emitterFlowLph !== null) installation.emitterFlowLph = emitterFlowLph;
  if (flowMmPerH !== null) installation.flowMmPerH = flowMmPerH;
  if (irrigatedAreaM2 !== null) installation.irrigatedAreaM2 = irrigatedAreaM2;
  return installation;
}

/** Adds to `modules`, whose names and numbers must differ. */
async function askProbes(
  asker: Asker,
  parcel: string | null,
  modules: FarmModule[],
): Promise<void> {
  const indent = parcel === null ? '' : '  ';
  const there = parcel === null ? '' : ' there';
  for (let isFirst = true; ; isFirst = false) {
    const name = await asker.optional(
      isFirst
        ? `${indent}Name of a probe${there} (Enter for none): `
        : `${indent}Name of the next probe${there} (Enter if that was the last): `,
      unlessTaken(readAnswers.probeName, () => modules.map((each) => each.name ?? ''), 'probe'),
    );
    if (name === null) return;

    const measurement = await asker.withDefault(
      `${indent}  It measures moisture or tension`,
      'moisture',
      readAnswers.measurement,
    );

    const depths = await asker.withDefault(
      `${indent}  Depths of its sensors in cm`,
      '10, 30',
      readAnswers.depths,
    );

    const uid = await asker.withDefault(
      `${indent}  Number that it sends`,
      name,
      unlessTaken(readAnswers.uid, () => modules.map((each) => each.uid), 'probe'),
    );

    const commissionedAt = await asker.optional(
      `${indent}  In the ground since, such as 2026-03-01 (Enter if unknown): `,
      readAnswers.date,
    );

    const module: FarmModule = {
      uid,
      name,
      category: measurement === 'tension' ? 'TENSIOMETER' : 'SOIL_PROBE',
    };
    if (parcel !== null) module.parcel = parcel;
    if (commissionedAt !== null) module.commissionedAt = commissionedAt;
    module.sensors = depths.map((depth) => ({ type: SENSOR_TYPES[measurement], depth }));
    modules.push(module);
  }
}

const unlessTaken =
  (
    read: ReadAnswer<string>,
    existingNames: () => readonly string[],
    kind: string,
  ): ReadAnswer<string> =>
  (answer) => {
    const text = read(answer);
    if (existingNames().some((each) => foldText(each) === foldText(text)))
      throw new AnswerError(`another one: there is already a ${kind} ${quote(text)}`);
    return text;
  };
