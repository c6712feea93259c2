/** Units of the United States. */
export const englishUsUnits = {
  inches: 'in',
  feet: 'ft',
  gallons: 'gal',
  acreInches: 'acre-inches',
  acres: 'acres',
  squareFeet: 'sq ft',
  perHour: (unit: string) => (unit === 'gal' ? 'gph' : `${unit}/h`),
  /** Names the unit of figures in a label. */
  waterLabel: 'inches',
  thousands: ',',
};

/** How figures are written before a unit. */
export const englishFigures = {
  decimal: '.',
  /**
   * A pattern of what stands between figures of one unit: "10, 20 and 30 cm", "6.9 of 7.6 mm". A
   * comma alone separates different things: "on Almond 1, 12 mm".
   */
  figureJoiners: ', and |, (?=[\\d., ]+ (?:and|or) \\d)| and | to | of | or ',
};
