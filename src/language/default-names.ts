import { LANGS, type Lang } from '../domain/lang.ts';
import type { MeasurementType } from '../domain/moisture/measurement.ts';
import { languageOf } from './index.ts';

interface NameableModule {
  readonly name: string | null;
  readonly category: string | null;
  readonly number: number | null;
}

/** "Soil probe 12" for a module without a name. */
export function moduleDisplayName(
  { name, category, number }: NameableModule,
  lang: Lang,
): string | null {
  if (name !== null || number === null) return name;
  return `${languageOf(lang).labels.moduleLabel(category)} ${number}`;
}

export const moduleNamesInOtherLangs = (module: NameableModule, lang: Lang): string[] =>
  module.name !== null
    ? []
    : LANGS.flatMap((other) => (other === lang ? [] : (moduleDisplayName(module, other) ?? [])));

/** "Moisture 10 cm" for a sensor without a label. */
export function sensorDisplayLabel(
  {
    label,
    type,
    depth,
  }: { label: string | null; type: MeasurementType | null; depth: number | null },
  lang: Lang,
): string | null {
  if (label !== null || type === null) return label;
  const measure = languageOf(lang).measurements[type].label;
  return depth === null ? measure : `${measure} ${depth} cm`;
}
