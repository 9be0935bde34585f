(* Vectors of R^3: products, the norm, and derivatives of vectors that depend on time. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

Record vec := Vec { vx : R; vy : R; vz : R }.

Definition zero := Vec 0 0 0.
Definition add u v := Vec (vx u + vx v) (vy u + vy v) (vz u + vz v).
Definition sub u v := Vec (vx u - vx v) (vy u - vy v) (vz u - vz v).
Definition scale s v := Vec (s * vx v) (s * vy v) (s * vz v).
Definition dot u v := vx u * vx v + vy u * vy v + vz u * vz v.
Definition cross u v :=
  Vec (vy u * vz v - vz u * vy v) (vz u * vx v - vx u * vz v) (vx u * vy v - vy u * vx v).
Definition norm v := sqrt (dot v v).

(* Proves identities of vectors that are identities of polynomials in their components. *)
Ltac components :=
  intros; unfold dot, add, sub, scale, cross, zero; simpl; try apply f_equal3; simpl; ring.

Lemma dot_self_nonneg v : 0 <= dot v v.
Proof. unfold dot; pose proof (Rle_0_sqr (vx v)); pose proof (Rle_0_sqr (vy v)); pose proof (Rle_0_sqr (vz v)); unfold Rsqr in *; lra. Qed.

Lemma norm_nonneg v : 0 <= norm v.
Proof. apply sqrt_pos. Qed.

Lemma norm_squared v : norm v * norm v = dot v v.
Proof. apply sqrt_def, dot_self_nonneg. Qed.

Lemma norm_le v b : 0 <= b -> dot v v <= b * b -> norm v <= b.
Proof. intros H L; apply Rsqr_incr_0_var; auto; unfold Rsqr; rewrite norm_squared; auto. Qed.

Lemma norm_zero : norm zero = 0.
Proof. unfold norm; replace (dot zero zero) with 0 by components; apply sqrt_0. Qed.

Lemma lagrange u v : dot (cross u v) (cross u v) = dot u u * dot v v - dot u v * dot u v.
Proof. components. Qed.

Lemma cauchy_schwarz u v : Rabs (dot u v) <= norm u * norm v.
Proof.
  apply Rsqr_incr_0_var.
  - rewrite <- Rsqr_abs; unfold Rsqr.
    replace (norm u * norm v * (norm u * norm v)) with ((norm u * norm u) * (norm v * norm v)) by ring.
    rewrite !norm_squared; pose proof (lagrange u v); pose proof (dot_self_nonneg (cross u v)); lra.
  - apply Rmult_le_pos; apply norm_nonneg.
Qed.

Lemma dot_le u v : dot u v <= norm u * norm v.
Proof. eapply Rle_trans; [apply Rle_abs | apply cauchy_schwarz]. Qed.

Lemma norm_add u v : norm (add u v) <= norm u + norm v.
Proof.
  pose proof (norm_nonneg u); pose proof (norm_nonneg v).
  apply norm_le; [lra |].
  replace (dot (add u v) (add u v)) with (dot u u + dot v v + 2 * dot u v) by components.
  rewrite <- !norm_squared; pose proof (dot_le u v); lra.
Qed.

Lemma norm_scale s v : norm (scale s v) = Rabs s * norm v.
Proof.
  unfold norm; replace (dot (scale s v) (scale s v)) with (Rsqr s * dot v v) by (unfold Rsqr; components).
  rewrite sqrt_mult; [| apply Rle_0_sqr | apply dot_self_nonneg].
  rewrite sqrt_Rsqr_abs; reflexivity.
Qed.

Lemma norm_unit n : dot n n = 1 -> norm n = 1.
Proof. intro H; unfold norm; rewrite H; apply sqrt_1. Qed.

Lemma norm_cross_unit z v : dot z z = 1 -> norm (cross z v) <= norm v.
Proof.
  intro H; apply norm_le; [apply norm_nonneg |].
  rewrite lagrange, norm_squared, H; pose proof (Rle_0_sqr (dot z v)); unfold Rsqr in *; lra.
Qed.

(* Derivatives of numbers, with functions written out. *)
Section Numbers.
  Variables (f g : R -> R) (t a b : R).
  Hypotheses (F : derivable_pt_lim f t a) (G : derivable_pt_lim g t b).

  Lemma d_const c : derivable_pt_lim (fun _ => c) t 0.
  Proof. apply derivable_pt_lim_const. Qed.

  Lemma d_id : derivable_pt_lim (fun s => s) t 1.
  Proof. apply derivable_pt_lim_id. Qed.

  Lemma d_plus : derivable_pt_lim (fun s => f s + g s) t (a + b).
  Proof. exact (derivable_pt_lim_plus f g t a b F G). Qed.

  Lemma d_minus : derivable_pt_lim (fun s => f s - g s) t (a - b).
  Proof. exact (derivable_pt_lim_minus f g t a b F G). Qed.

  Lemma d_mult : derivable_pt_lim (fun s => f s * g s) t (a * g t + f t * b).
  Proof. exact (derivable_pt_lim_mult f g t a b F G). Qed.

  Lemma d_cos : derivable_pt_lim (fun s => cos (f s)) t (- sin (f t) * a).
  Proof. exact (derivable_pt_lim_comp f cos t a _ F (derivable_pt_lim_cos (f t))). Qed.

  Lemma d_sin : derivable_pt_lim (fun s => sin (f s)) t (cos (f t) * a).
  Proof. exact (derivable_pt_lim_comp f sin t a _ F (derivable_pt_lim_sin (f t))). Qed.

  Lemma d_equal c : a = c -> derivable_pt_lim f t c.
  Proof. intros <-; exact F. Qed.
End Numbers.

Ltac differentiate :=
  repeat first [ eassumption | apply d_const | apply d_id | eapply d_minus | eapply d_plus | eapply d_mult
               | eapply d_cos | eapply d_sin ].

(* The vector v is the derivative of f at t. *)
Definition derivative (f : R -> vec) (t : R) (v : vec) :=
  derivable_pt_lim (fun s => vx (f s)) t (vx v) /\
  derivable_pt_lim (fun s => vy (f s)) t (vy v) /\
  derivable_pt_lim (fun s => vz (f s)) t (vz v).

Lemma d_dot n f t v : derivative f t v -> derivable_pt_lim (fun s => dot n (f s)) t (dot n v).
Proof. intros (x & y & z); unfold dot; eapply d_equal; [differentiate | simpl; ring]. Qed.
