/** Units of the United States. */
export const spanishUsUnits = {
  inches: 'pulg.',
  feet: 'pies',
  gallons: 'gal',
  acreInches: 'acre-pulgadas',
  acres: 'acres',
  squareFeet: 'pies²',
  perHour: (unit: string) => `${unit}/h`,
  /** Names the unit of figures in a label. */
  waterLabel: 'pulg.',
  // A point would make 1.000 gallons of one thousand, or one.
  thousands: '\u202f',
};

/** How figures are written before a unit. */
export const spanishFigures = {
  decimal: ',',
  /**
   * A pattern of what stands between figures of one unit: "10, 20 and 30 cm", "6.9 of 7.6 mm". A
   * comma alone separates different things: "on Almond 1, 12 mm".
   */
  figureJoiners: ', (?=[\\d., ]+ [yo] \\d)| y | a | de | o ',
};
