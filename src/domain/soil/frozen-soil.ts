/**
 * At or below it soil may hold ice, which a sensor takes for air. Water in soil freezes a little
 * below zero, and a thermometer is off by up to a degree. In two years on a prairie, 17 of 29 rises
 * in winter began within twelve hours of it.
 */
const MAX_FROZEN_CELSIUS = 1;

export const isFrozen = (celsius: number): boolean => celsius <= MAX_FROZEN_CELSIUS;
