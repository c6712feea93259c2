import type { ModuleKind, PlacePhrases } from '../company/company-phrases.ts';
import { englishCount } from './grammar.ts';

const MODULE_KINDS: Readonly<Record<ModuleKind, string>> = {
  SOIL_PROBE: 'soil probe',
  TENSIOMETER: 'tensiometer',
  WEATHER_STATION: 'weather station',
};
const MODULE_LABELS: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Soil probe',
  TENSIOMETER: 'Tensiometer',
  WEATHER_STATION: 'Weather station',
};

export const englishPlace: PlacePhrases = {
  noName: 'no name',
  moduleLabel: (category) => MODULE_LABELS[category ?? ''] ?? 'Module',
  noModule: 'No module matches.',
  modules: (names) => `Modules: ${names}.`,
  noParcel: 'There are no parcels.',
  parcels: (names) => `Parcels: ${names}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }) => {
    const where = parcel === null ? 'in no parcel' : `in ${parcel}`;
    const measuring = depths.length === 0 ? englishCount(sensors, 'sensor') : `sensors at ${depths.join(', ')} cm`;
    return `${name} is a ${kind === null ? 'module' : MODULE_KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Its position must be reconfirmed.' : ''}`;
  },
  company: (name, city, zone, isDeclared) =>
    `${name}${city === null ? '' : `, ${city}`}; the time zone is ${zone}${isDeclared ? '' : ' (none is set)'}.`,
  noMembers: 'The company has no members.',
  members: (people) => `Members: ${people.map(({ name, role }) => `${name} (${role})`).join(', ')}.`,
  enums: (codes) => `Ten lists of codes with their labels, ${codes} codes in all.`,
};
