import type { Lang } from '../../domain/lang.ts';
import { foldText } from '../../domain/strings.ts';
import type {
  FarmFile,
  FarmInstallation,
  FarmModule,
  FarmParcel,
} from '../../schema/farm/farm-file.ts';
import { printError } from '../process/output.ts';
import type { Terminal } from '../process/terminal.ts';
import { AnswerLog } from './answer-log.ts';
import { AnswerError, dateReader, type ReadAnswer, readAnswers, SENSOR_TYPES } from './answers.ts';
import { Asker, WentBack } from './asker.ts';
import { faultOfEquipment } from './equipment-fault.ts';
import { type QuantityAnswers, quantityAnswers } from './quantity-answers.ts';

export interface FarmDefaults {
  readonly lang: Lang;
  readonly countryCode: string | null;
  /** In ms. */
  readonly now: number;
  readonly timeZoneOf: (country: string | null) => string | null;
}

/**
 * Asks for the contents of a farm file: company, parcels, equipment and probes. Writes nothing. What
 * is in the log already is not asked again.
 */
export async function interviewFarm(
  terminal: Terminal,
  defaults: FarmDefaults,
  log = new AnswerLog(),
): Promise<FarmFile> {
  const asker = new Asker(terminal, defaults.lang, log);
  for (;;) {
    log.rewind();
    try {
      return await askFarm(asker, defaults);
    } catch (error) {
      if (!(error instanceof WentBack)) throw error;
      if (!log.dropLast()) printError(`${asker.words.firstQuestion}\n`);
    }
  }
}

async function askFarm(asker: Asker, defaults: FarmDefaults): Promise<FarmFile> {
  const { words } = asker;
  const farmName = await asker.required(words.farmName, readAnswers.companyName);
  const countryCode =
    defaults.countryCode === null
      ? await asker.optional(words.countryOrNone, readAnswers.country)
      : await asker.withDefault(words.country, defaults.countryCode, readAnswers.country);
  const timezone = await asker.withDefault(
    words.timeZone,
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
      parcels.length === 0 ? words.firstParcel : words.nextParcel,
      unlessTaken(readAnswers.parcelName, () => parcels.map((each) => each.name), 'otherParcel'),
    );
    if (parcelName === null) break;
    parcels.push(await askParcel(asker, parcelName, quantities));
    await askProbes(asker, { parcel: parcelName, modules, quantities, readDate });
  }

  if (parcels.length === 0) await askProbes(asker, { parcel: null, modules, quantities, readDate });
  return { company, users, parcels, modules };
}

async function askUsers(asker: Asker): Promise<FarmFile['users']> {
  const email = await asker.optional(asker.words.email, readAnswers.email);
  if (email === null) return [];
  return [
    {
      email,
      name: await asker.required(asker.words.userName, readAnswers.userName),
      role: 'OWNER',
    },
  ];
}

async function askParcel(
  asker: Asker,
  name: string,
  quantities: QuantityAnswers,
): Promise<FarmParcel> {
  const { words } = asker;
  const type = await asker.optional(words.crop, readAnswers.crop);
  const installation = await asker.untilPlausible(
    () => askEquipment(asker, quantities),
    (equipment) => faultOfEquipment(equipment ?? {}, asker.lang),
  );
  const usdaClass = await asker.optional(words.soil, readAnswers.texture);
  const rootDepthCm = await asker.optional(
    words.roots(quantities.units.rootDepthCm.example),
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

async function askEquipment(
  asker: Asker,
  quantities: QuantityAnswers,
): Promise<FarmInstallation | null> {
  const { words } = asker;
  const { units } = quantities;
  const system = await asker.optional(words.system, readAnswers.system);
  if (system === null) return null;

  const hasEmitters = system === 'drip' || system === 'micro_sprinkler';
  const emitterFlowLph = hasEmitters
    ? await asker.optional(
        words.emitterFlow(units.emitterFlowLph.example),
        quantities.emitterFlowLph,
      )
    : null;
  const emitters =
    emitterFlowLph === null
      ? null
      : await asker.optional(words.emitters(units.spacing.example), quantities.emitters);

  const flowMmPerH =
    emitters === null
      ? await asker.optional(words.rate(units.flowMmPerH.example), quantities.flowMmPerH)
      : null;

  const irrigatedAreaM2 = await asker.optional(
    words.area(units.irrigatedAreaM2.example),
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
  const { words } = asker;
  const isOnParcel = parcel !== null;
  for (let isFirst = true; ; isFirst = false) {
    const name = await asker.optional(
      isFirst
        ? `${indent}${words.firstProbe(isOnParcel)}`
        : `${indent}${words.nextProbe(isOnParcel)}`,
      unlessTaken(
        readAnswers.probeName,
        () => modules.map((each) => each.name ?? ''),
        'otherProbe',
      ),
    );
    if (name === null) return;

    const measurement = await asker.withDefault(
      `${indent}${words.measures}`,
      words.moisture,
      readAnswers.measurement,
    );

    const depths = await asker.withDefault(
      `${indent}${words.depths}`,
      quantities.units.depths.example,
      quantities.depths,
    );

    const uid = await asker.withDefault(
      `${indent}${words.number}`,
      name,
      unlessTaken(readAnswers.uid, () => modules.map((each) => each.uid), 'otherProbe'),
    );

    const commissionedAt = await asker.optional(`${indent}${words.since}`, readDate);

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
    taken: 'otherParcel' | 'otherProbe',
  ): ReadAnswer<string> =>
  (answer) => {
    const text = read(answer);
    if (existingNames().some((each) => foldText(each) === foldText(text)))
      throw new AnswerError(taken, text);
    return text;
  };
