(* Statements (1) and (4): inequalities at the middle of an interval of time separate two convex bodies during all of it. *)
From Coq Require Import Reals Lra List.
Require Import Vectors Bound.
Import ListNotations.
Open Scope R_scope.

(* The convex hull of finitely many points: the least set that contains them and, with two points, their segment. *)
Inductive hull (points : list vec) : vec -> Prop :=
| vertex p : In p points -> hull points p
| segment x y s : hull points x -> hull points y -> 0 <= s <= 1 -> hull points (add (scale (1 - s) x) (scale s y)).

Lemma hull_below points n u : (forall p, In p points -> dot n p <= u) -> forall x, hull points x -> dot n x <= u.
Proof.
  intros H x; induction 1 as [| x y s X LX Y LY S]; auto.
  replace (dot n (add (scale (1 - s) x) (scale s y))) with ((1 - s) * dot n x + s * dot n y) by components.
  assert ((1 - s) * dot n x <= (1 - s) * u) by (apply Rmult_le_compat_l; lra).
  assert (s * dot n y <= s * u) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(* Statement (1): if a lies below a plane and b above it, with a gap g between them, their distance is g at least. *)
Theorem plane_separates a b n u g :
  dot n n = 1 ->
  (forall p, In p a -> dot n p <= u) -> (forall p, In p b -> u + g <= dot n p) ->
  forall x y, hull a x -> hull b y -> g <= norm (sub y x).
Proof.
  intros N A B x y X Y.
  assert (dot n x <= u) by (eapply hull_below; eauto).
  assert (dot (scale (-1) n) y <= - (u + g)).
  { apply (hull_below b); auto; intros p P; specialize (B p P).
    replace (dot (scale (-1) n) p) with (- dot n p) by components; lra. }
  replace (dot (scale (-1) n) y) with (- dot n y) in * by components.
  pose proof (dot_le n (sub y x)) as L; rewrite (norm_unit n N) in L.
  replace (dot n (sub y x)) with (dot n y - dot n x) in L by components; lra.
Qed.

(* A point that moves: where it is, its velocity and its acceleration. *)
Record point := Point { place : R -> vec; velocity : R -> vec; acceleration : R -> vec }.

Definition moves m h A p := forall t, m - h <= t <= m + h ->
  derivative (place p) t (velocity p t) /\ derivative (velocity p) t (acceleration p t) /\
  norm (acceleration p t) <= A.

Definition at_time (a : list point) t := map (fun p => place p t) a.

(* Statement (4), with the velocity of each vertex of a at the middle m. The vertices of b do not move. *)
Theorem span_separates a b n m h A u g :
  dot n n = 1 -> 0 <= A -> (forall p, In p a -> moves m h A p) ->
  (forall p, In p a -> dot n (place p m) - h * dot n (velocity p m) + A * h * h / 2 <= u) ->
  (forall p, In p a -> dot n (place p m) + h * dot n (velocity p m) + A * h * h / 2 <= u) ->
  (forall y, In y b -> u + g <= dot n y) ->
  forall t x y, m - h <= t <= m + h -> hull (at_time a t) x -> hull b y -> g <= norm (sub y x).
Proof.
  intros N P M L U B t x y T X Y.
  apply (plane_separates (at_time a t) b n u g); auto.
  intros q Q; apply in_map_iff in Q; destruct Q as (p & <- & I).
  apply (second_order_bound (fun s => dot n (place p s)) (fun s => dot n (velocity p s))
           (fun s => dot n (acceleration p s)) m h A); auto.
  - intros s S; apply d_dot, (M p I s S).
  - intros s S; apply d_dot, (M p I s S).
  - intros s S; pose proof (dot_le n (acceleration p s)) as D; rewrite (norm_unit n N) in D.
    destruct (M p I s S) as (_ & _ & ?); lra.
Qed.

(* The form of (4) with a support value: if a moves rigidly at the middle, each vertex c + r with the velocity
   V + omega x r, the maxima are those of r in the directions n + h n x omega and n - h n x omega. *)
Theorem rotated_support n c r V omega tau :
  dot n (add c r) + tau * dot n (add V (cross omega r)) =
  dot n c + tau * dot n V + dot (add n (scale tau (cross n omega))) r.
Proof. components. Qed.

(* Bisection: what holds at all times of both halves of an interval holds at all times of the interval. *)
Inductive bisected (proved : R -> R -> Prop) : R -> R -> Prop :=
| whole m h : proved m h -> bisected proved m h
| halves m h : bisected proved (m - h / 2) (h / 2) -> bisected proved (m + h / 2) (h / 2) -> bisected proved m h.

Theorem bisection (proved : R -> R -> Prop) (holds : R -> Prop) :
  (forall m h, proved m h -> forall t, m - h <= t <= m + h -> holds t) ->
  forall m h, bisected proved m h -> forall t, m - h <= t <= m + h -> holds t.
Proof.
  intros P m h; induction 1 as [m h H | m h _ L _ U]; intros t T; [eapply P; eauto |].
  destruct (Rle_dec t m); [apply L | apply U]; lra.
Qed.
