/** The texts of leagues with those for administrators. */
import { leagueAdmin } from '../texts/league_admin';
import { t as shared } from './texts';

export const t = { ...shared, leagueAdmin };
