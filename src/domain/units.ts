/** Converts to the units in which values are stored: °C, mm and m/s. */

export const fahrenheitToCelsius = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9;

export const inchesToMm = (inches: number): number => inches * 25.4;

export const milesPerHourToMetresPerSecond = (milesPerHour: number): number =>
  milesPerHour * 0.44704;

export const kilometresPerHourToMetresPerSecond = (kilometresPerHour: number): number =>
  kilometresPerHour / 3.6;
