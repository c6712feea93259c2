type Place = 'block' | 'parcel' | 'field' | 'plot' | 'sector' | 'zone' | 'plantation' | 'paddock' | 'tree';
export type Device = 'probe' | 'tensiometer' | 'station' | 'module';
type Compass = 'north' | 'south' | 'east' | 'west' | 'northeast' | 'northwest' | 'southeast' | 'southwest';
type Quality = 'upper' | 'lower' | 'middle' | 'left' | 'right' | 'old' | 'young' | 'new' | 'big' | 'small';
type Feature = 'orchard' | 'greenhouse' | 'garden' | 'row';

/**
 * Words that names of probes and parcels share, so that each is found in the words of every language. Forms of one meaning
 * are separated by commas; plurals need no form.
 */
export interface NameWords {
  /** Left out of every name. */
  readonly fillers: string;
  /** Before an apostrophe. */
  readonly elided: readonly string[];
  /** First, second, third and so on. */
  readonly ordinals: readonly string[];
  /** After a figure. Not a single letter: "2e" may be a name. */
  readonly ordinalEndings: readonly string[];
  /** The kinds of place: most people add one or leave it out. */
  readonly places: Readonly<Record<Place, string>>;
  readonly devices: Readonly<Record<Device, string>>;
  readonly others: Readonly<Record<Compass | Quality | Feature, string>>;
}

export const englishNames: NameWords = {
  fillers: 'the, number, of, in, at, on, by, from, for, and, my, our, that, this',
  elided: [],
  ordinals: 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  ordinalEndings: ['st', 'nd', 'rd', 'th'],
  places: {
    block: 'block',
    parcel: 'parcel',
    field: 'field',
    plot: 'plot, lot',
    sector: 'sector, section',
    zone: 'zone, area',
    plantation: 'plantation, planting',
    paddock: 'paddock',
    tree: 'tree, plant',
  },
  devices: {
    probe:
      'probe, sensor, soil probe, soil sensor, moisture probe, moisture sensor, soil moisture probe, soil moisture sensor',
    tensiometer: 'tensiometer, tensio',
    station: 'station, weather station',
    module: 'module, device',
  },
  others: {
    north: 'north, northern',
    south: 'south, southern',
    east: 'east, eastern',
    west: 'west, western',
    northeast: 'northeast, north east, northeastern',
    northwest: 'northwest, north west, northwestern',
    southeast: 'southeast, south east, southeastern',
    southwest: 'southwest, south west, southwestern',
    upper: 'upper, top',
    lower: 'lower, bottom',
    middle: 'middle, centre, center, central',
    left: 'left, left hand',
    right: 'right, right hand',
    old: 'old',
    young: 'young',
    new: 'new',
    big: 'big, large',
    small: 'small, little',
    orchard: 'orchard, grove',
    greenhouse: 'greenhouse, green house, glasshouse',
    garden: 'garden',
    row: 'row',
  },
};
