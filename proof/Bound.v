(* The second-order bounds: what a bound on the second derivative says about a function of time. *)
From Coq Require Import Reals Lra.
Require Import Vectors.
Open Scope R_scope.

Section Interval.
  (* f has the derivatives f' and f'' on [m - h, m + h], and f'' <= A there. *)
  Variables (f f' f'' : R -> R) (m h A : R).
  Hypothesis first : forall t, m - h <= t <= m + h -> derivable_pt_lim f t (f' t).
  Hypothesis second : forall t, m - h <= t <= m + h -> derivable_pt_lim f' t (f'' t).
  Hypothesis bound : forall t, m - h <= t <= m + h -> f'' t <= A.

  Let rest t := f t - f m - (t - m) * f' m - A * (t - m) * (t - m) / 2.

  Lemma rest_derivative t : m - h <= t <= m + h -> derivable_pt_lim rest t (f' t - f' m - A * (t - m)).
  Proof.
    intro T; pose proof (first t T); unfold rest, Rdiv; eapply d_equal; [differentiate | simpl; field].
  Qed.

  (* Taylor's formula: the bound of (4) for one point, before its maximum over the interval. *)
  Theorem taylor t : m - h <= t <= m + h -> f t <= f m + (t - m) * f' m + A * (t - m) * (t - m) / 2.
  Proof.
    intro T; enough (rest t <= 0) by (unfold rest in *; lra).
    assert (Z : rest m = 0) by (unfold rest; field).
    destruct (Rtotal_order t m) as [L | [-> | L]]; [| lra |].
    - destruct (MVT_cor2 rest (fun s => f' s - f' m - A * (s - m)) t m L) as (c & E & C);
        [intros; apply rest_derivative; lra |].
      destruct (MVT_cor2 f' f'' c m (proj2 C)) as (e & F & C'); [intros; apply second; lra |].
      assert (f'' e <= A) by (apply bound; lra).
      assert (f'' e * (m - c) <= A * (m - c)) by (apply Rmult_le_compat_r; lra).
      assert (0 <= (f' c - f' m - A * (c - m)) * (m - t)) by (apply Rmult_le_pos; lra).
      simpl in E; lra.
    - destruct (MVT_cor2 rest (fun s => f' s - f' m - A * (s - m)) m t L) as (c & E & C);
        [intros; apply rest_derivative; lra |].
      destruct (MVT_cor2 f' f'' m c (proj1 C)) as (e & F & C'); [intros; apply second; lra |].
      assert (f'' e <= A) by (apply bound; lra).
      assert (f'' e * (c - m) <= A * (c - m)) by (apply Rmult_le_compat_r; lra).
      assert (0 <= - (f' c - f' m - A * (c - m)) * (t - m)) by (apply Rmult_le_pos; lra).
      simpl in E; lra.
  Qed.

  (* The bound over the whole interval, from two values at its ends: that of the checker. *)
  Theorem second_order_bound u t :
    m - h <= t <= m + h -> 0 <= A ->
    f m - h * f' m + A * h * h / 2 <= u -> f m + h * f' m + A * h * h / 2 <= u -> f t <= u.
  Proof.
    intros T P L U; pose proof (taylor t T).
    assert (A * ((t - m) * (t - m)) <= A * (h * h)).
    { apply Rmult_le_compat_l; [exact P |].
      assert (0 <= (h - (t - m)) * (h + (t - m))) by (apply Rmult_le_pos; lra); lra. }
    destruct (Rle_dec 0 (f' m)).
    - assert ((t - m) * f' m <= h * f' m) by (apply Rmult_le_compat_r; lra); lra.
    - assert ((t - m) * f' m <= - h * f' m).
      { assert (0 <= (t - m + h) * - f' m) by (apply Rmult_le_pos; lra); lra. }
      lra.
  Qed.
End Interval.
