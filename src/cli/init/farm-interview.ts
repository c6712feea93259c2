import { foldText, quote } from '../../domain/text.ts';
import type {
  FarmFile,
  FarmInstallation,
  FarmModule,
  FarmParcel,
} from '../../schema/farm/farm-file.ts';
import { assertPlausibleEquipment } from '../../service/irrigation/plausible-equipment.ts';
import type { Terminal } from '../process/terminal.ts';
import { AnswerError, dateReader, type ReadAnswer, readAnswers, SENSOR_TYPES } from './answers.ts';
import { Asker } from './asker.ts';
import { type QuantityAnswers, quantityAnswers } from './quantity-answers.ts';

interface FarmDefaults {
  readonly countryCode: string | null;
  /** In ms. */
  readonly now: number;
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

  const quantities = quantityAnswers(countryCode);
  const readDate = dateReader(timezone, defaults.now);

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
    parcels.push(await askParcel(asker, parcelName, quantities));
    await askProbes(asker, { parcel: parcelName, modules, quantities, readDate });
  }

  if (parcels.length === 0) await askProbes(asker, { parcel: null, modules, quantities, readDate });
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

async function askParcel(
  asker: Asker,
  name: string,
  quantities: QuantityAnswers,
): Promise<FarmParcel> {
  const type = await asker.optional(
    '  Crop, such as olive (Enter to leave it out): ',
    readAnswers.crop,
  );
  const installation = await askPlausibleEquipment(asker, quantities);
  const usdaClass = await asker.optional(
    '  Soil, such as loam or sandy loam (Enter if unknown): ',
    readAnswers.texture,
  );
  const rootDepthCm = await asker.optional(
    `  Depth of the roots, such as ${quantities.units.rootDepthCm.example} (Enter if unknown): `,
    quantities.rootDepthCm,
  );

  const parcel: FarmParcel = { name };
  if (type !== null) parcel.type = type;
  if (installation !== null) parcel.installation = installation;
  if (usdaClass !== null) {
    const depthBottomCm = Math.max(rootDepthCm ?? 0, SOIL_DEPTH_CM);
    parcel.soilProfile = [{ usdaClass, depthTopCm: 0, depthBottomCm }];
  }
  if (rootDepthCm !== null) parcel.settings = { rootDepthCm };
  return parcel;
}

/** The depth to which one texture is taken to reach. */
const SOIL_DEPTH_CM = 100;

/** Asks again about equipment that none has. */
async function askPlausibleEquipment(
  asker: Asker,
  quantities: QuantityAnswers,
): Promise<FarmInstallation | null> {
  for (;;) {
    const installation = await askEquipment(asker, quantities);
    try {
      assertPlausibleEquipment(installation ?? {});
      return installation;
    } catch (error) {
      asker.repeatAfter(error);
    }
  }
}

async function askEquipment(
  asker: Asker,
  quantities: QuantityAnswers,
): Promise<FarmInstallation | null> {
  const { units } = quantities;
  const system = await asker.optional(
    '  Irrigation: drip, micro_sprinkler, sprinkler, pivot, gravity, manual or other (Enter for none): ',
    readAnswers.system,
  );
  if (system === null) return null;

  const hasEmitters = system === 'drip' || system === 'micro_sprinkler';
  const emitterFlowLph = hasEmitters
    ? await asker.optional(
        `  Flow of one emitter, such as ${units.emitterFlowLph.example} (Enter if unknown): `,
        quantities.emitterFlowLph,
      )
    : null;
  const emitters =
    emitterFlowLph === null
      ? null
      : await asker.optional(
          `  Emitters per m2, or their spacing such as ${units.spacing.example} (Enter if unknown): `,
          quantities.emitters,
        );

  const flowMmPerH =
    emitters === null
      ? await asker.optional(
          `  Application rate, such as ${units.flowMmPerH.example} (Enter if unknown): `,
          quantities.flowMmPerH,
        )
      : null;

  const irrigatedAreaM2 = await asker.optional(
    `  Irrigated area, such as ${units.irrigatedAreaM2.example} (Enter if unknown): `,
    quantities.irrigatedAreaM2,
  );

  const installation: FarmInstallation = { system, ...emitters };
  if (emitterFlowLph !== null) installation.emitterFlowLph = emitterFlowLph;
  if (flowMmPerH !== null) installation.flowMmPerH = flowMmPerH;
  if (irrigatedAreaM2 !== null) installation.irrigatedAreaM2 = irrigatedAreaM2;
  return installation;
}

interface ProbeQuestions {
  readonly parcel: string | null;
  readonly modules: FarmModule[];
  readonly quantities: QuantityAnswers;
  readonly readDate: ReadAnswer<string>;
}

/** Adds to `modules`, whose names and numbers must differ. */
async function askProbes(
  asker: Asker,
  { parcel, modules, quantities, readDate }: ProbeQuestions,
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
      `${indent}  Depths of its sensors`,
      quantities.units.depths.example,
      quantities.depths,
    );

    const uid = await asker.withDefault(
      `${indent}  Number on the probe or in its messages`,
      name,
      unlessTaken(readAnswers.uid, () => modules.map((each) => each.uid), 'probe'),
    );

    const commissionedAt = await asker.optional(
      `${indent}  In the ground since, such as 2026-03-01 (Enter if unknown): `,
      readDate,
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
