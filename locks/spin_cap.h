/*
 * spin_cap.h - how long a thread spins before it sleeps.
 *
 * User space cannot see whether the holder runs, so every spin has a cap. Sixty
 * pauses are 1 to 3 us on the machines tried: longer than a short critical
 * section and two line transfers, shorter than a sleep and a wakeup (5 to 50
 * us). If the holder was preempted the whole spin is lost, but never more.
 */
#ifndef LOCKS_SPIN_CAP_H
#define LOCKS_SPIN_CAP_H

#define SPIN_PAUSES 60

/* the explorer needs each path of a spin once, not sixty times */
#ifdef LOCK_EXPLORE
#define SPIN_CAP(pauses) 1
#else
#define SPIN_CAP(pauses) (pauses)
#endif

#endif
