(* A checker of certificates that computes with enclosures, and the proof that what it accepts is true. *)
From Coq Require Import Reals Lra ZArith List Bool.
Require Import Vectors Bound Span Chain Rigid Rates Shapes Enclosures.
Import ListNotations.
Open Scope R_scope.

(* The number m / 2^k: every double is one. *)
Record number := Number { mantissa : Z; exponent : Z }.
Definition real n := IZR (mantissa n) / IZR (2 ^ exponent n).
Definition enclosed n := idiv (iint (mantissa n)) (iint (2 ^ exponent n)).

Lemma enclosed_within n : within (enclosed n) (real n).
Proof. apply within_div; apply within_int. Qed.
#[export] Hint Resolve enclosed_within : enclosed.

Record triple := Triple { tx : number; ty : number; tz : number }.
Definition real_vec v := Vec (real (tx v)) (real (ty v)) (real (tz v)).
Definition enclosed_vec v := IVec (enclosed (tx v)) (enclosed (ty v)) (enclosed (tz v)).

Lemma enclosed_vec_within v : vwithin (enclosed_vec v) (real_vec v).
Proof. apply within_vec; apply enclosed_within. Qed.
#[export] Hint Resolve enclosed_vec_within : enclosed.

(* A joint turns about, or slides along, an axis of its frame. Its value is multiplier times that of a planned joint,
   plus an offset: a fixed pose consists of joints whose multiplier is 0. *)
Inductive direction := X | Y | Z.
Record passage := Passage { slides : bool; along : direction; planned : nat; multiplier : number; offset : number }.

Definition unit d := match d with X => Vec 1 0 0 | Y => Vec 0 1 0 | Z => Vec 0 0 1 end.
Definition sort_of p := if slides p then Prismatic (unit (along p)) else Revolute (unit (along p)) zero.

(* Polynomials of the planned joints, of which those that do not exist keep the value 0. *)
Definition still := Polynomial 0 0 0 0 0 0.
Definition rate_bound p m h := Rabs (rate p m)
  + h * (Rabs (change p m) + h * (Rabs (third p m) / 2 + h * (Rabs (fourth p m) / 6 + h * (Rabs (fifth p) / 24)))).
Definition change_bound p m h := Rabs (change p m)
  + h * (Rabs (third p m) + h * (Rabs (fourth p m) / 2 + h * (Rabs (fifth p) / 6))).

Definition joint_of m h polynomials p :=
  let f := nth (planned p) polynomials still in
  following (sort_of p) (real (multiplier p)) (real (offset p)) f (rate_bound f m h) (change_bound f m h) 0.

(* The chain of a body, for its pose at a time: the bounds do not matter. *)
Definition pose polynomials passages x t := position (map (joint_of 0 0 polynomials) passages) x t.

Lemma unit_length d : dot (unit d) (unit d) = 1.
Proof. destruct d; unfold dot; simpl; ring. Qed.

Lemma joints_keep m h polynomials passages : Forall (keeps m h) (map (joint_of m h polynomials) passages).
Proof.
  induction passages as [| p rest IH]; simpl; constructor; auto.
  apply following_keeps; [unfold sort_of; destruct (slides p); apply unit_length |].
  intros t T; apply quintic_rates; exact T.
Qed.

Lemma pose_joints m h polynomials passages x t :
  position (map (joint_of m h polynomials) passages) x t = pose polynomials passages x t.
Proof. unfold pose; induction passages as [| p rest IH]; simpl; [reflexivity |]; rewrite IH; reflexivity. Qed.

(* Enclosures of a joint at the middle of an interval, and of its bounds. *)
Record ijoint := IJoint { igoes : bool; ialong : direction; iq : enclosure; icosine : enclosure; isine : enclosure;
  irate : enclosure; iw : enclosure; iw' : enclosure }.

Definition encloses m i j :=
  sort j = (if igoes i then Prismatic (unit (ialong i)) else Revolute (unit (ialong i)) zero) /\
  within (iq i) (q j m) /\ within (icosine i) (cos (q j m)) /\ within (isine i) (sin (q j m)) /\
  within (irate i) (q' j m) /\ within (iw i) (w j) /\ within (iw' i) (w' j).

(* The rotation about an axis of the frame, with the cosine c and the sine s. *)
Definition iturn d c s v :=
  match d with
  | X => IVec (ix v) (isub (imul c (iy v)) (imul s (iz v))) (iadd (imul s (iy v)) (imul c (iz v)))
  | Y => IVec (iadd (imul c (ix v)) (imul s (iz v))) (iy v) (isub (imul c (iz v)) (imul s (ix v)))
  | Z => IVec (isub (imul c (ix v)) (imul s (iy v))) (iadd (imul s (ix v)) (imul c (iy v))) (iz v)
  end.

Lemma turn_components d q v : rotation (unit d) q v =
  match d with
  | X => Vec (vx v) (cos q * vy v - sin q * vz v) (sin q * vy v + cos q * vz v)
  | Y => Vec (cos q * vx v + sin q * vz v) (vy v) (cos q * vz v - sin q * vx v)
  | Z => Vec (cos q * vx v - sin q * vy v) (sin q * vx v + cos q * vy v) (vz v)
  end.
Proof. unfold rotation; generalize (cos q), (sin q); destruct d; components. Qed.

Lemma turn_within d c s q i v : within c (cos q) -> within s (sin q) -> vwithin i v ->
  vwithin (iturn d c s i) (rotation (unit d) q v).
Proof. intros ? ? (? & ? & ?); rewrite turn_components; destruct d; simpl; auto 6 with enclosed. Qed.

Definition iunit d := match d with
  | X => IVec (iint 1) (iint 0) (iint 0) | Y => IVec (iint 0) (iint 1) (iint 0) | Z => IVec (iint 0) (iint 0) (iint 1) end.

Lemma unit_within d : vwithin (iunit d) (unit d).
Proof. destruct d; apply within_vec; apply within_int. Qed.
#[export] Hint Resolve turn_within unit_within : enclosed.

(* One pass along a chain, from a to b: position and velocity of c, angular velocity, the sums of (2) and (3). *)
Record motion := Motion { iplace : ivec; ivelocity : ivec; ispin : ivec; ispeed : enclosure; ibend : enclosure }.

Definition pass h rho i s :=
  let z := iunit (ialong i) in
  let by_joint := imul (iw i) (ispeed s) in
  if igoes i then
    Motion (ivadd (iplace s) (ivscale (iq i) z)) (ivadd (ivelocity s) (ivscale (irate i) z)) (ispin s)
      (iadd (imul (iint 1) (iw i)) (ispeed s)) (iadd (iadd (imul (iint 1) (iw' i)) (iint 0)) (ibend s))
  else
    let arm := icross z (iplace s) in
    let d := iadd (iadd (inorm arm) rho) (imul h (ispeed s)) in
    let turn := iturn (ialong i) (icosine i) (isine i) in
    Motion (turn (iplace s)) (turn (ivadd (ivelocity s) (ivscale (irate i) arm)))
      (turn (ivadd (ispin s) (ivscale (irate i) z)))
      (iadd (imul d (iw i)) (ispeed s))
      (iadd (iadd (imul d (iw' i)) (iadd (imul (imul d (iw i)) (iw i)) (imul (imul (iint 2) (iw i)) (ispeed s)))) (ibend s)).

Fixpoint moved h rho chain c :=
  match chain with
  | [] => Motion c izero izero (iint 0) (iint 0)
  | i :: rest => pass h rho i (moved h rho rest c)
  end.

Fixpoint iback chain n :=
  match chain with
  | [] => n
  | i :: rest =>
    iback rest (if igoes i then n else iturn (ialong i) (icosine i) (Intervals.neg (isine i)) n)
  end.

Lemma sub_zero v : sub v zero = v.
Proof. destruct v as [a b c]; unfold sub, zero; simpl; apply f_equal3; ring. Qed.

Lemma zero_add v : add zero v = v.
Proof. destruct v as [a b c]; unfold add, zero; simpl; apply f_equal3; ring. Qed.

Lemma moved_within m h rho c ih irho ic ichain chain :
  within ih h -> within irho rho -> vwithin ic c -> Forall2 (encloses m) ichain chain ->
  let s := moved ih irho ichain ic in let full := reaching m h rho chain c in
  vwithin (iplace s) (position chain c m) /\ vwithin (ivelocity s) (chain_velocity chain c m) /\
  vwithin (ispin s) (spin chain m) /\ within (ispeed s) (speed full) /\ within (ibend s) (bend full).
Proof.
  intros H R C; induction 1 as [| i j irest rest (S & Q & K & N & D & W & W') _ (P & V & O & E & B)]; simpl;
    [refine (conj C (conj vwithin_zero (conj vwithin_zero (conj (within_int 0) (within_int 0))))) |].
  unfold pass; rewrite S; destruct (igoes i); cbn [iplace ivelocity ispin ispeed ibend];
    rewrite ?sub_zero, ?zero_add; refine (conj _ (conj _ (conj _ (conj _ _)))); auto 12 with enclosed.
Qed.

Lemma back_within m ichain chain : Forall2 (encloses m) ichain chain ->
  forall i n, vwithin i n -> vwithin (iback ichain i) (turned_back chain n m).
Proof.
  induction 1 as [| i j irest rest (S & Q & K & N & _) _ IH]; intros v n V; simpl; [exact V |].
  rewrite S; destruct (igoes i); apply IH; auto.
  apply turn_within; [rewrite cos_neg; exact K | | exact V].
  rewrite sin_neg; exact (Intervals.neg_correct _ (Xreal.Xreal _) N).
Qed.

(* Enclosures of a polynomial. *)
Record ipolynomial := IPolynomial { i0 : enclosure; i1 : enclosure; i2 : enclosure; i3 : enclosure; i4 : enclosure; i5 : enclosure }.
Definition pwithin i p := within (i0 i) (c0 p) /\ within (i1 i) (c1 p) /\ within (i2 i) (c2 p) /\
  within (i3 i) (c3 p) /\ within (i4 i) (c4 p) /\ within (i5 i) (c5 p).
Definition istill := IPolynomial (iint 0) (iint 0) (iint 0) (iint 0) (iint 0) (iint 0).

Record irates := IRates { at_middle : enclosure; rate_at_middle : enclosure; max_rate : enclosure; max_change : enclosure }.

Notation step t a b := (iadd a (imul t b)).
Notation times n x := (imul (iint n) x).

Definition rates_over i m h :=
  let r := step m (i1 i) (step m (times 2 (i2 i)) (step m (times 3 (i3 i)) (step m (times 4 (i4 i)) (times 5 (i5 i))))) in
  let a := step m (times 2 (i2 i)) (step m (times 6 (i3 i)) (step m (times 12 (i4 i)) (times 20 (i5 i)))) in
  let j := step m (times 6 (i3 i)) (step m (times 24 (i4 i)) (times 60 (i5 i))) in
  let s := step m (times 24 (i4 i)) (times 120 (i5 i)) in
  let k := iabs (times 120 (i5 i)) in
  IRates
    (step m (i0 i) (step m (i1 i) (step m (i2 i) (step m (i3 i) (step m (i4 i) (i5 i)))))) r
    (step h (iabs r) (step h (iabs a) (step h (idiv (iabs j) (iint 2))
      (step h (idiv (iabs s) (iint 6)) (idiv k (iint 24))))))
    (step h (iabs a) (step h (iabs j) (step h (idiv (iabs s) (iint 2)) (idiv k (iint 6))))).

Lemma rates_within i p im m ih h : pwithin i p -> within im m -> within ih h ->
  let r := rates_over i im ih in
  within (at_middle r) (value p m) /\ within (rate_at_middle r) (rate p m) /\
  within (max_rate r) (rate_bound p m h) /\ within (max_change r) (change_bound p m h).
Proof.
  intros (P0 & P1 & P2 & P3 & P4 & P5) M H; unfold rates_over, rate_bound, change_bound, value, rate, change, third, fourth, fifth.
  cbv zeta; cbn [at_middle rate_at_middle max_rate max_change]; refine (conj _ (conj _ (conj _ _))); auto 30 with enclosed.
Qed.

Definition ijoint_of ipolynomials im ih p :=
  let r := rates_over (nth (planned p) ipolynomials istill) im ih in
  let k := enclosed (multiplier p) in
  let q := iadd (imul k (at_middle r)) (enclosed (offset p)) in
  IJoint (slides p) (along p) q (icos q) (isin q) (imul k (rate_at_middle r)) (imul (iabs k) (max_rate r)) (imul (iabs k) (max_change r)).

Lemma still_within : pwithin istill still.
Proof. repeat (refine (conj (within_int 0) _)); apply within_int. Qed.

Lemma nth_within ipolynomials polynomials k : Forall2 pwithin ipolynomials polynomials ->
  pwithin (nth k ipolynomials istill) (nth k polynomials still).
Proof.
  intro F; revert k; induction F as [| i p irest rest H _ IH]; intros [| k]; simpl; auto using still_within.
Qed.

Lemma joints_enclosed ipolynomials polynomials im m ih h passages :
  Forall2 pwithin ipolynomials polynomials -> within im m -> within ih h ->
  Forall2 (encloses m) (map (ijoint_of ipolynomials im ih) passages) (map (joint_of m h polynomials) passages).
Proof.
  intros F M H; induction passages as [| p rest IH]; simpl; constructor; auto.
  destruct (rates_within _ _ im m ih h (nth_within _ _ (planned p) F) M H) as (V & R & W & C).
  unfold joint_of, following, encloses, ijoint_of; cbv zeta; cbn [sort q q' w w' igoes ialong iq icosine isine irate iw iw'].
  refine (conj eq_refl (conj _ (conj _ (conj _ (conj _ (conj _ _)))))); auto 8 with enclosed.
Qed.

(* Shapes, with a margin. *)
Inductive core := Box (x y z : number) | Cylinder (radius half : number) | Vertices (points : list triple).
Record solid := Solid { shape : core; margin : number }.

Fixpoint greatest (f : triple -> R) first points :=
  match points with [] => f first | p :: rest => Rmax (f p) (greatest f first rest) end.
Definition origin := Triple (Number 0 0) (Number 0 0) (Number 0 0).
Definition over f points := greatest f (hd origin points) points.

Definition core_points s := match s with
  | Box x y z => box (real x) (real y) (real z)
  | Cylinder radius half => cylinder (real radius) (real half)
  | Vertices points => hull (map real_vec points)
  end.
Definition core_support s d := match s with
  | Box x y z => box_support (real x) (real y) (real z) d
  | Cylinder radius half => cylinder_support (real radius) (real half) d
  | Vertices points => over (fun p => dot d (real_vec p)) points
  end.
Definition core_radius s := match s with
  | Box x y z => norm (Vec (real x) (real y) (real z))
  | Cylinder radius half => norm (Vec (real radius) (real half) 0)
  | Vertices points => over (fun p => norm (real_vec p)) points
  end.

Definition points_of s := with_margin (real (margin s)) (core_points (shape s)).
Definition support_of s d := core_support (shape s) d + real (margin s) * norm d.
Definition radius_of s := core_radius (shape s) + real (margin s).

Lemma greatest_over f first points p : In p points -> f p <= greatest f first points.
Proof.
  induction points as [| x rest IH]; simpl; [intros [] |]; intros [-> | I]; [apply Rmax_l |].
  eapply Rle_trans; [apply IH, I | apply Rmax_r].
Qed.

Lemma hull_norm points r : (forall p, In p points -> norm p <= r) -> forall x, hull points x -> norm x <= r.
Proof.
  intros H x; induction 1 as [| x y s _ LX _ LY S]; auto.
  eapply Rle_trans; [apply norm_add |]; rewrite !norm_scale, !Rabs_pos_eq by lra.
  assert ((1 - s) * norm x <= (1 - s) * r) by (apply Rmult_le_compat_l; lra).
  assert (s * norm y <= s * r) by (apply Rmult_le_compat_l; lra); lra.
Qed.

Lemma square_le a b : Rabs a <= b -> a * a <= b * b.
Proof. intro H; apply abs_between in H; assert (0 <= (b - a) * (b + a)) by (apply Rmult_le_pos; lra); lra. Qed.

Lemma core_supported s d r : core_points s r -> dot d r <= core_support s d.
Proof.
  destruct s as [x y z | radius half | points]; simpl; [apply box_supported | apply cylinder_supported |].
  apply hull_below; intros p P; apply in_map_iff in P; destruct P as (v & <- & P).
  apply (greatest_over (fun p => dot d (real_vec p))), P.
Qed.

Lemma core_bounded s r : core_points s r -> norm r <= core_radius s.
Proof.
  destruct s as [x y z | radius half | points]; simpl.
  - intros (A & B & C); apply norm_le; [apply norm_nonneg |]; rewrite norm_squared.
    apply square_le in A; apply square_le in B; apply square_le in C; unfold dot; simpl; lra.
  - intros (A & B); apply norm_le; [apply norm_nonneg |]; rewrite norm_squared.
    apply square_le in B; pose proof (norm_nonneg (flat r)).
    assert (F : norm (flat r) * norm (flat r) <= real radius * real radius) by (apply Rmult_le_compat; auto).
    rewrite norm_squared in F; unfold dot in *; simpl in *; lra.
  - apply hull_norm; intros p P; apply in_map_iff in P; destruct P as (v & <- & P).
    apply (greatest_over (fun p => norm (real_vec p))), P.
Qed.

Lemma solid_supported s d r : points_of s r -> dot d r <= support_of s d.
Proof. apply margin_supported; intros p; apply core_supported. Qed.

Lemma solid_bounded s r : points_of s r -> norm r <= radius_of s.
Proof.
  intros (p & P & M); apply core_bounded in P; unfold radius_of.
  replace r with (add p (sub r p)) by (destruct r, p; unfold add, sub; simpl; f_equal; ring).
  eapply Rle_trans; [apply norm_add | lra].
Qed.

Definition imax a b := idiv (iadd (iadd a b) (iabs (isub a b))) (iint 2).

Lemma within_max a b x y : within a x -> within b y -> within (imax a b) (Rmax x y).
Proof.
  intros; replace (Rmax x y) with ((x + y + Rabs (x - y)) / 2); [unfold imax; auto with enclosed |].
  unfold Rmax; destruct (Rle_dec x y); [rewrite Rabs_left1 | rewrite Rabs_pos_eq]; lra.
Qed.

Fixpoint igreatest (f : triple -> enclosure) first points :=
  match points with [] => f first | p :: rest => imax (f p) (igreatest f first rest) end.
Definition iover f points := igreatest f (hd origin points) points.

Lemma over_within f i points : (forall p, within (i p) (f p)) -> within (iover i points) (over f points).
Proof.
  intro H; unfold iover, over; generalize (hd origin points); intro first.
  induction points as [| p rest IH]; simpl; [apply H | apply within_max; auto].
Qed.

Definition isupport s d :=
  let extra := imul (enclosed (margin s)) (inorm d) in
  match shape s with
  | Box x y z => iadd (iadd (iadd (imul (enclosed x) (iabs (ix d))) (imul (enclosed y) (iabs (iy d)))) (imul (enclosed z) (iabs (iz d)))) extra
  | Cylinder radius half => iadd (iadd (imul (enclosed radius) (inorm (IVec (ix d) (iy d) (iint 0)))) (imul (enclosed half) (iabs (iz d)))) extra
  | Vertices points => iadd (iover (fun p => idot d (enclosed_vec p)) points) extra
  end.
Definition iradius s :=
  match shape s with
  | Box x y z => iadd (inorm (IVec (enclosed x) (enclosed y) (enclosed z))) (enclosed (margin s))
  | Cylinder radius half => iadd (inorm (IVec (enclosed radius) (enclosed half) (iint 0))) (enclosed (margin s))
  | Vertices points => iadd (iover (fun p => inorm (enclosed_vec p)) points) (enclosed (margin s))
  end.

Lemma support_within s i d : vwithin i d -> within (isupport s i) (support_of s d).
Proof.
  intro D; pose proof D as (? & ? & ?); unfold isupport, support_of, core_support.
  destruct (shape s) as [x y z | radius half | points].
  - unfold box_support; auto 9 with enclosed.
  - unfold cylinder_support; assert (vwithin (IVec (ix i) (iy i) (iint 0)) (flat d)) by (apply within_vec; auto with enclosed).
    auto 9 with enclosed.
  - apply within_add; [apply over_within; intro |]; auto with enclosed.
Qed.

Lemma radius_within s : within (iradius s) (radius_of s).
Proof.
  unfold iradius, radius_of, core_radius; destruct (shape s) as [x y z | radius half | points]; auto 9 with enclosed.
  apply within_add; [apply over_within; intro |]; auto with enclosed.
Qed.

(* A curve of a joint between two points of a motion: positions, velocities and accelerations at both ends. *)
Inductive curve := Line (a b : number) | Cubic (a b v w : number) | Quintic (a b v w x y : number).

Definition polynomial_of T c := match c with
  | Line a b => line (real a) ((real b - real a) / T)
  | Cubic a b v w => cubic (real a) ((real b - real a) / T) (real v) (real w) T
  | Quintic a b v w x y => quintic (real a) ((real b - real a) / T) (real v) (real w) (real x) (real y) T
  end.

Notation mean T a b := (idiv (isub (enclosed b) (enclosed a)) T).
Notation half n x := (imul (idiv (iint n) (iint 2)) x).

Definition ipolynomial_of T c :=
  match c with
  | Line a b => IPolynomial (enclosed a) (mean T a b) (iint 0) (iint 0) (iint 0) (iint 0)
  | Cubic a b v' w' =>
    let m := mean T a b in let v := enclosed v' in let w := enclosed w' in
    IPolynomial (enclosed a) v (idiv (isub (isub (times 3 m) (times 2 v)) w) T)
      (idiv (idiv (isub (iadd v w) (times 2 m)) T) T) (iint 0) (iint 0)
  | Quintic a b v' w' x y =>
    let m := mean T a b in let v := enclosed v' in let w := enclosed w' in
    let s := imul (enclosed x) T in let r := imul (enclosed y) T in
    IPolynomial (enclosed a) v (idiv (enclosed x) (iint 2))
      (idiv (idiv (iadd (isub (isub (isub (times 10 m) (times 6 v)) (times 4 w)) (half 3 s)) (half 1 r)) T) T)
      (idiv (idiv (idiv (isub (iadd (isub (iadd (times 8 v) (times 7 w)) (times 15 m)) (half 3 s)) r) T) T) T)
      (idiv (idiv (idiv (idiv (iadd (isub (isub (isub (times 6 m) (times 3 v)) (times 3 w)) (half 1 s)) (half 1 r)) T) T) T) T)
  end.

Lemma polynomial_within i T c : within i T -> pwithin (ipolynomial_of i c) (polynomial_of T c).
Proof.
  intro H; destruct c; unfold pwithin, polynomial_of, line, cubic, quintic, ipolynomial_of; cbv zeta;
    cbn [c0 c1 c2 c3 c4 c5 i0 i1 i2 i3 i4 i5]; refine (conj _ (conj _ (conj _ (conj _ (conj _ _))))); auto 20 with enclosed.
Qed.

(* Times are whole numbers of units of 1 / D seconds. A piece of the motion: one curve for each planned joint. *)
Record piece := Piece { start : BinNums.Z; stop : BinNums.Z; curves : list curve }.
Record span := Span { from : BinNums.Z; upto : BinNums.Z; normal : triple }.

(* A body a that the joints of `moving` move, stated from the frame of the directions to that of the shape, and a body b
   that `resting` places in the frame of the directions, without planned joints. *)
Record pair := Pair { moving : list passage; solid_a : solid; resting : list passage; solid_b : solid; spans : list span }.
Record certificate := Certificate { unit_of_time : BinNums.Z; duration : BinNums.Z; padding : number; pieces : list piece; pairs : list pair }.

Definition time D z := IZR z / IZR D.
Definition polynomials D pc := map (polynomial_of (time D (stop pc - start pc))) (curves pc).
Definition itime D z := idiv (iint z) (iint D).
Definition ipolynomials D pc := map (ipolynomial_of (itime D (stop pc - start pc))) (curves pc).

(* Tries to prove (4) over an interval of a piece, for one direction. *)
Definition separated_over D pad pc pr n lo hi :=
  let im := idiv (idiv (iint (lo + hi - 2 * start pc)) (iint 2)) (iint D) in
  let ih := idiv (idiv (iint (hi - lo)) (iint 2)) (iint D) in
  let chain := map (ijoint_of (ipolynomials D pc) im ih) (moving pr) in
  let fixed := map (ijoint_of [] im ih) (resting pr) in
  let a := moved ih (iradius (solid_a pr)) chain izero in
  let b := moved ih (iint 0) fixed izero in
  let v := enclosed_vec n in
  let length := inorm v in
  let begin := isub (idot v (iplace b)) (isupport (solid_b pr) (ivscale (iint (-1)) (iback fixed v))) in
  let reach e := iadd (iadd (iadd (idot v (iplace a)) (imul e (idot v (ivelocity a))))
    (isupport (solid_a pr) (iback chain (ivadd v (ivscale e (icross v (ispin a)))))))
    (idiv (imul (imul (imul length (ibend a)) ih) ih) (iint 2)) in
  let room e := isub (isub begin (reach e)) (imul length (enclosed pad)) in
  if negb (lo <=? hi)%Z then false else
  if negb (is_positive length) then false else
  if negb (is_positive (room ih)) then false else
  is_positive (room (isub (iint 0) ih)).

Fixpoint bisected_over fuel (f : BinNums.Z -> BinNums.Z -> bool) lo hi :=
  if f lo hi then true else
  match fuel with
  | O => false
  | S less => let m := ((lo + hi) / 2)%Z in if bisected_over less f lo m then bisected_over less f m hi else false
  end.

Definition most_bisections := 40%nat.

(* True if the spans, one after another, separate the pair from the time `lo` to the end of the piece. *)
Fixpoint covered D pad pc pr spans lo :=
  match spans with
  | [] => false
  | s :: rest =>
    if (upto s <? lo)%Z then covered D pad pc pr rest lo else
    if negb (from s <=? lo)%Z then false else
    let hi := Z.min (upto s) (stop pc) in
    if bisected_over most_bisections (separated_over D pad pc pr (normal s)) lo hi then
      if (stop pc <=? upto s)%Z then true else covered D pad pc pr rest (upto s)
    else false
  end.

Fixpoint contiguous pieces at_time until :=
  match pieces with
  | [] => (at_time =? until)%Z
  | pc :: rest => (start pc =? at_time)%Z && (start pc <? stop pc)%Z && contiguous rest (stop pc) until
  end.

Definition accepts c :=
  (0 <? unit_of_time c)%Z && (0 <=? mantissa (padding c))%Z && (0 <=? exponent (padding c))%Z &&
  (0 <? duration c)%Z && contiguous (pieces c) 0 (duration c) &&
  forallb (fun pr => forallb (fun pc =>
    covered (unit_of_time c) (padding c) pc pr (spans pr) (start pc)) (pieces c)) (pairs c).
