import { LANGS, type Lang } from '../domain/lang.ts';
import { languageOf } from './index.ts';

interface NameableModule {
  readonly name: string | null;
  readonly category: string | null;
  readonly number: number | null;
}

/** A module's own name, else its kind and number ("Soil probe 12"), else null. */
export function moduleDisplayName({ name, category, number }: NameableModule, lang: Lang): string | null {
  if (name !== null || number === null) return name;
  return `${languageOf(lang).place.moduleLabel(category)} ${number}`;
}

/** The default names of a module in the other languages; none where it has a name of its own. */
export const moduleNamesInOtherLangs = (module: NameableModule, lang: Lang): string[] =>
  module.name !== null
    ? []
    : LANGS.flatMap((other) => (other === lang ? [] : (moduleDisplayName(module, other) ?? [])));

/** A sensor's own label, else what it measures and its depth ("Moisture 10 cm"), else null. */
export function sensorDisplayLabel(
  { label, type, depth }: { label: string | null; type: string | null; depth: number | null },
  lang: Lang,
): string | null {
  const measures: Readonly<Record<string, string>> = languageOf(lang).enumLabels.measurement_types;
  const measure = measures[type ?? ''];
  if (label !== null || measure === undefined) return label;
  return depth === null ? measure : `${measure} ${depth} cm`;
}
