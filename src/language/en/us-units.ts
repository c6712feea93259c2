/** Units of the United States for water and depths, which the page has too. */
export const englishUsUnits = {
  inches: 'in',
  gallons: 'gal',
  acreInches: 'acre-inches',
  /** Names the unit of figures in a label. */
  waterLabel: 'inches',
  thousands: ',',
};

/** The other units, and how figures are written before a unit. */
export const englishQuantities = {
  feet: 'ft',
  acres: 'acres',
  squareFeet: 'sq ft',
  gallonsPerHour: 'gph',
  decimal: '.',
  /** A pattern of the words before a rough figure. */
  rough: 'some|about|around|roughly',
  /**
   * A pattern of what stands between figures of one unit: "10, 20 and 30 cm", "6.9 of 7.6 mm". A
   * comma alone separates different things: "on Almond 1, 12 mm".
   */
  figureJoiners: ', and |, (?=[\\d., ]{1,300} (?:and|or) \\d)| and | to | of | or ',
};
