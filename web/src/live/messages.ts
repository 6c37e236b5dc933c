/** Messages of the live feed and of protocol 1, as the server describes them. */
import type { components as Api } from '../generated/openapi';
import type { components as Protocol } from '../generated/protocol';

type Feed = Api['schemas'];
type Messages = Protocol['schemas'];

export type End = Feed['FeedOver']['end'];
export type FeedClock = Feed['WatchedClock'];
/** A seat of a table whose match has not begun. */
export type WaitingSeat = Feed['WatchedSeat'];
export type Problem = Messages['ErrorMessage'];

export type FeedMessage =
  | Feed['FeedWaiting']
  | Feed['FeedDropped']
  | Feed['FeedBegin']
  | Feed['FeedEvent']
  | Feed['FeedView']
  | Feed['FeedAsk']
  | Feed['FeedFault']
  | Feed['FeedChat']
  | Feed['FeedOver']
  | Problem;

export type FromReferee = Messages['FromReferee'];
export type FromPlayer = Messages['FromPlayer'];
