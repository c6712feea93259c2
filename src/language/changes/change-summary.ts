import { type ChangeBody, changeEffects, type UndoAnswer, type UndoneChangeBody } from '../../schema/change.ts';
import { languageOf } from '../index.ts';
import { moduleName, parcelName, type SummaryContext } from '../summary-context.ts';
import { nameInSentence } from '../text.ts';
import { formatTime, formatTimeWithZone } from '../time.ts';
import { describeChangedFields } from './changed-fields.ts';

const MOST_NAMES = 3;
const MOST_ENTRIES = 3;

/** Of what was named itself, which may be gone; else of the probes and parcels concerned, with the start of a single watering. */
async function namesOf({ effects }: UndoneChangeBody, context: SummaryContext): Promise<string[]> {
  const { directory } = context;
  const own = effects.rows.flatMap(({ kind, before, after }) =>
    kind === 'module' || kind === 'parcel' || kind === 'company' ? ((after ?? before)?.name ?? []) : [],
  );
  if (own.length > 0) return own.slice(0, MOST_NAMES).map((name) => nameInSentence(String(name)));
  const images = effects.rows.map(({ before, after }) => after ?? before ?? {});
  const modules = new Set((await directory.modules()).map(({ id }) => id));
  const parcels = new Set((await directory.parcels()).map(({ id }) => id));
  const idsIn = (known: ReadonlySet<number>, columns: readonly string[]) =>
    [...new Set(images.flatMap((image) => columns.map((column) => Number(image[column]))))].filter((id) =>
      known.has(id),
    );
  const named = [
    ...idsIn(modules, ['moduleId', 'targetModuleId']).map((id) => moduleName(directory, id)),
    ...idsIn(parcels, ['parcelId', 'targetParcelId']).map((id) => parcelName(directory, id, context.lang)),
  ];
  const names = await Promise.all(named.slice(0, MOST_NAMES));
  const row = effects.rows.find(({ kind }) => kind === 'watering');
  const count = changeEffects({ effects }).reduce((sum, each) => sum + (each.kind === 'watering' ? each.count : 0), 0);
  const start = count === 1 && (row?.after ?? row?.before)?.startedAt;
  return typeof start === 'string' ? [...names, formatTime(start, context)] : names;
}

/** A recipient comes and goes with its alert, and a sensor with its probe. */
function mainEffects(change: UndoneChangeBody) {
  const effects = changeEffects(change);
  const main = effects.filter(({ kind }) => kind !== 'alert_recipient' && kind !== 'sensor');
  return main.length === 0 ? effects : main;
}

export async function summarizeUndo({ undone }: UndoAnswer, context: SummaryContext): Promise<string> {
  const when = formatTimeWithZone(undone.at, context);
  return languageOf(context.lang).changes.undone(
    reversedEffects(undone, context),
    await namesOf(undone, context),
    when,
  );
}

export async function askUndo(undone: UndoneChangeBody, context: SummaryContext): Promise<string> {
  const phrases = languageOf(context.lang).changes;
  return phrases.askUndo({
    when: formatTime(undone.at, context),
    who: undone.userName === null ? null : nameInSentence(undone.userName),
    surface: undone.surface,
    effects: phrases.withNames(reversedEffects(undone, context), await namesOf(undone, context)),
  });
}

function reversedEffects(undone: UndoneChangeBody, { lang }: SummaryContext): string[] {
  const phrases = languageOf(lang).changes;
  const effects = new Map<string, Parameters<typeof phrases.effect>>();
  for (const { kind, action, count } of mainEffects(undone)) {
    const done = action === 'added' ? 'removed' : 'restored';
    const sum = (effects.get(`${kind} ${done}`)?.[2] ?? 0) + count;
    effects.set(`${kind} ${done}`, [kind, done, sum]);
  }
  return [...effects.values()].map((effect) => phrases.effect(...effect));
}

/** "1 watering added (North 1, yesterday 07:00)" */
export async function describeEffects(change: UndoneChangeBody, context: SummaryContext): Promise<string> {
  const phrases = languageOf(context.lang).changes;
  return phrases.withNames(effectsOf(change, context), await namesOf(change, context));
}

function effectsOf(change: UndoneChangeBody, { lang }: SummaryContext): string[] {
  const phrases = languageOf(lang).changes;
  return change.effects.rows.length === 0
    ? [phrases.readings]
    : mainEffects(change).map(({ kind, action, count }) => phrases.effect(kind, action, count));
}

export async function summarizeChanges(
  { data }: { readonly data: readonly ChangeBody[] },
  context: SummaryContext,
): Promise<string> {
  const phrases = languageOf(context.lang).changes;
  if (data.length === 0) return phrases.none;
  const entries = data.slice(0, MOST_ENTRIES).map(async (change) =>
    phrases.entry({
      when: formatTime(change.at, context),
      who: change.userName === null ? null : nameInSentence(change.userName),
      surface: change.surface,
      effects: await describeEffects(change, context),
      fields: describeChangedFields(change, context),
      isUndo: change.undoes !== null,
      isUndone: change.undoneBy !== null,
    }),
  );
  return phrases.newest(await Promise.all(entries));
}
