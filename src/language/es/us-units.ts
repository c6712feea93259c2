/** Units of the United States for water and depths, which the page has too. */
export const spanishUsUnits = {
  inches: 'pulg.',
  gallons: 'gal',
  acreInches: 'acre-pulgadas',
  /** Names the unit of figures in a label. */
  waterLabel: 'pulg.',
  // A point would make 1.000 gallons of one thousand, or one.
  thousands: '\u202f',
};

/** The other units, and how figures are written before a unit. */
export const spanishQuantities = {
  feet: 'pies',
  acres: 'acres',
  squareFeet: 'pies²',
  gallonsPerHour: 'gal/h',
  decimal: ',',
  /** A pattern of the words before a rough figure. */
  rough: 'unos|unas|alrededor de',
  /**
   * A pattern of what stands between figures of one unit: "10, 20 and 30 cm", "6.9 of 7.6 mm". A
   * comma alone separates different things: "on Almond 1, 12 mm".
   */
  figureJoiners: ', (?=[\\d., ]{1,300} [yo] \\d)| y | a | de | o ',
};
