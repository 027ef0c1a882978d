export const FAULTS_END_MS = 25_000;
/** Long enough that every subscriber is served well before. */
export const LASTING_TTL_SECONDS = 2_400;
