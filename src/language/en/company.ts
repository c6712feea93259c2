import type { ModuleKind, PlacePhrases } from '../company/company-phrases.ts';
import { englishCount } from './grammar.ts';

const MODULE_KINDS: Record<NonNullable<ModuleKind>, string> = {
  SOIL_PROBE: 'soil probe',
  TENSIOMETER: 'tensiometer',
  WEATHER_STATION: 'weather station',
};

export const englishPlace: PlacePhrases = {
  noName: 'no name',
  noModule: 'No module matches.',
  modules: (named) => `Modules: ${named}.`,
  noParcel: 'There is no parcel.',
  parcels: (named) => `Parcels: ${named}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }) => {
    const where = parcel === null ? 'in no parcel' : `in ${parcel}`;
    const measuring = depths.length === 0 ? englishCount(sensors, 'sensor') : `sensors at ${depths.join(', ')} cm`;
    return `${name} is a ${kind === null ? 'module' : MODULE_KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Its position must be reconfirmed.' : ''}`;
  },
  company: (name, city, zone, isDeclared) =>
    `${name}${city === null ? '' : `, ${city}`}; local time is ${zone}${isDeclared ? '' : ' (none declared)'}.`,
  noMembers: 'The company has no members.',
  members: (people) => `Members: ${people.map(({ name, role }) => `${name} (${role})`).join(', ')}.`,
  enums: (codes) => `Ten lists of codes with their labels, ${codes} codes in all.`,

  noContact: 'never heard of',
  lastContact: (at, zone) => `last heard of ${at} (${zone})`,
  noGateway: 'No gateway matches.',
  faulty: (imei, contact, modules) =>
    `${imei}, ${contact}, ${modules.length === 0 ? 'carrying nothing' : `carrying ${modules.join(', ')}`}`,
  gateways: (named, faulty) =>
    `Gateways: ${named}. ${faulty.length === 0 ? 'None of them is faulty.' : `Faulty: ${faulty.join('; ')}.`}`,
  unplugged: (name) => `${name} is plugged into no gateway.`,
  health: ({ name, imei, status, heard: contact, soc, level }) =>
    `The gateway of ${name} (${imei}) is ${status}: ${contact}, ${soc === null ? 'battery unknown' : `battery ${soc} %`}, ${level === null ? 'signal unknown' : `signal ${level} of 4 bars`}.`,
};

const MODULE_NAMES: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Soil probe',
  TENSIOMETER: 'Tensiometer',
  WEATHER_STATION: 'Weather station',
};

/** What a module without a name is called, before its number. */
export const englishModuleKind = (category: string | null): string => MODULE_NAMES[category ?? ''] ?? 'Module';
